/**
 * For Windows PowerShell: reads `{"do", "service", "account", "token"?}` on standard input, and does it in the Credential
 * Manager; `find` prints the token. Ends with 44 where there is no such entry, as macOS's `security` does.
 */
export const WINDOWS_VAULT_SCRIPT = `$ErrorActionPreference = 'Stop'
$asked = [Console]::In.ReadToEnd() | ConvertFrom-Json
[void][Windows.Security.Credentials.PasswordVault,Windows.Security.Credentials,ContentType=WindowsRuntime]
$vault = New-Object Windows.Security.Credentials.PasswordVault
$kept = @($vault.RetrieveAll() | Where-Object { $_.Resource -eq $asked.service -and $_.UserName -eq $asked.account })
if ($asked.do -eq 'keep') {
  foreach ($one in $kept) { $vault.Remove($one) }
  $new = New-Object Windows.Security.Credentials.PasswordCredential($asked.service, $asked.account, $asked.token)
  $vault.Add($new)
  exit 0
}
if ($kept.Count -eq 0) { exit 44 }
if ($asked.do -eq 'find') {
  $kept[0].RetrievePassword()
  [Console]::Out.Write($kept[0].Password)
} else {
  foreach ($one in $kept) { $vault.Remove($one) }
}
`
