import type { View } from '../renderer.ts'

/** Without the token itself. */
export interface AuthStatus {
  profile: string | undefined
  environment: string | undefined
  /** Undefined for the built-in sandbox. */
  baseUrl: string | undefined
  /** `RMA_TOKEN`, `profile staging`; undefined without a token. */
  tokenFrom: string | undefined
  /** The file that it is kept in, or that it is in none. */
  tokenIn?: string | undefined
  subject?: string | undefined
  shops?: string[] | undefined
  /** ISO 8601. */
  issuedAt?: string | undefined
  /** ISO 8601. */
  expiresAt?: string | undefined
}

export const authView: View<AuthStatus> = {
  columns: [
    { name: 'profile', header: 'Profile', value: (s) => s.profile },
    { name: 'environment', header: 'Environment', value: (s) => s.environment },
    { name: 'base-url', header: 'Base URL', value: (s) => s.baseUrl ?? 'built-in sandbox' },
    { name: 'token-from', header: 'Token from', value: (s) => s.tokenFrom ?? 'not needed' },
    { name: 'token-in', header: 'Kept in', value: (s) => s.tokenIn },
    { name: 'subject', header: 'Subject', value: (s) => s.subject },
    { name: 'shops', header: 'Shops', value: (s) => s.shops?.join(', ') },
    { name: 'issued', header: 'Issued', value: (s) => s.issuedAt, kind: 'date' },
    { name: 'expires', header: 'Expires', value: (s) => s.expiresAt, kind: 'date' },
  ],
  empty: 'Not signed in',
}
