# Completion of rma for powershell, written by: rma completion powershell
Register-ArgumentCompleter -Native -CommandName rma -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $length = $cursorPosition - $commandAst.Extent.StartOffset
  $env:_RMA_COMPLETE_LINE = $commandAst.ToString().PadRight($length).Substring(0, $length)
  $env:_RMA_COMPLETE_WORD = $wordToComplete
  try {
    rma __complete powershell 2>$null | ForEach-Object {
      $value, $about = $_ -split "`t", 2
      [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $about)
    }
  } finally {
    $env:_RMA_COMPLETE_LINE = $null
    $env:_RMA_COMPLETE_WORD = $null
  }
}
