import { lazySchema, type RecordOf, type View } from '../../output/view.ts'

const authStatusSchema = lazySchema((z, { instant, text }) =>
  z.object({
    profile: text.optional(),
    environment: text.optional(),
    baseUrl: text.optional().describe('Absent for the built-in sandbox'),
    tokenFrom: text.optional().describe('`RMA_TOKEN`, `profile staging`'),
    tokenIn: text.optional().describe('File that keeps the token'),
    subject: text.optional(),
    shops: z.array(text).optional(),
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
    { name: 'issued', header: 'Issued', path: 'issuedAt' },
    { name: 'expires', header: 'Expires', path: 'expiresAt' },
  ],
  schema: authStatusSchema,
  empty: 'Not signed in',
}
