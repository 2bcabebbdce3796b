import type { View } from '../renderer.ts'

/** Without the token itself. */
export interface ProfileRow {
  name: string
  isCurrent: boolean
  environment: string
  baseUrl?: string | undefined
  shop?: string | undefined
  timeZone?: string | undefined
  apiRevision?: string | undefined
  labelHosts?: string[] | undefined
  database?: string | undefined
  credentialProcess?: string | undefined
  protected: boolean
  /** Of one in the keyring this is not looked at. */
  hasToken: boolean
  tokenIn?: 'settings file' | 'keyring' | 'credential process' | undefined
  /** Undefined without a token, or if it does not say. */
  tokenExpiresAt?: string | undefined
}

export const profilesView: View<ProfileRow> = {
  columns: [
    { name: 'current', header: '', value: (p) => (p.isCurrent ? '*' : '') },
    { name: 'name', header: 'NAME', value: (p) => p.name, identifies: true },
    { name: 'environment', header: 'ENVIRONMENT', value: (p) => p.environment },
    {
      name: 'base-url',
      header: 'BASE URL',
      value: (p) => p.baseUrl ?? (p.environment === 'mock' ? 'built-in sandbox' : ''),
      flexible: true,
    },
    { name: 'shop', header: 'SHOP', value: (p) => p.shop },
    { name: 'protected', header: 'PROTECTED', value: (p) => (p.protected ? 'yes' : '') },
    { name: 'token', header: 'TOKEN', value: tokenState },
  ],
  extra: [
    { name: 'time-zone', header: 'TIME ZONE', value: (p) => p.timeZone },
    { name: 'api-revision', header: 'API REVISION', value: (p) => p.apiRevision },
    { name: 'label-hosts', header: 'LABEL HOSTS', value: (p) => p.labelHosts?.join(', ') },
    { name: 'database', header: 'DATABASE', value: (p) => p.database },
    { name: 'credential-process', header: 'CREDENTIAL PROCESS', value: (p) => p.credentialProcess },
    { name: 'token-expires', header: 'TOKEN EXPIRES', value: (p) => p.tokenExpiresAt, kind: 'date' },
  ],
  empty: 'No profiles',
}

function tokenState({ tokenIn, environment }: ProfileRow): string {
  return tokenIn ?? (environment === 'mock' ? 'not needed' : 'none')
}
