import { lazySchema, type RecordOf } from '../../output/lazy-schema.ts'
import type { View } from '../../output/renderer.ts'

const authStatusSchema = lazySchema((z, { instant }) =>
  z.object({
    profile: z.string().optional(),
    environment: z.string().optional(),
    baseUrl: z.string().optional().describe('Absent for the built-in sandbox'),
    tokenFrom: z.string().optional().describe('`RMA_TOKEN`, `profile staging`'),
    tokenIn: z.string().optional().describe('File that keeps the token'),
    subject: z.string().optional(),
    shops: z.array(z.string()).optional(),
    issuedAt: instant.optional(),
    expiresAt: instant.optional(),
  }),
)

export type AuthStatus = RecordOf<typeof authStatusSchema>

export const authView: View<AuthStatus> = {
  columns: [
    { name: 'profile', header: 'Profile' },
    { name: 'environment', header: 'Environment' },
    { name: 'base-url', header: 'Base URL', value: (s) => s.baseUrl ?? 'built-in sandbox' },
    { name: 'token-from', header: 'Token from', value: (s) => s.tokenFrom ?? 'not needed' },
    { name: 'token-in', header: 'Kept in' },
    { name: 'subject', header: 'Subject' },
    { name: 'shops', header: 'Shops', value: (s) => s.shops?.join(', ') },
    { name: 'issued', header: 'Issued', value: (s) => s.issuedAt, kind: 'date' },
    { name: 'expires', header: 'Expires', value: (s) => s.expiresAt, kind: 'date' },
  ],
  schema: authStatusSchema,
  empty: 'Not signed in',
}
