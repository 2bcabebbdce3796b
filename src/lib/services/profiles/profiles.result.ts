import type { Context } from '../../cli/context.ts'
import { shownDatabaseUrl } from '../../config/database-url.ts'
import type { Profile } from '../../config/profile.ts'
import { readToken } from '../../config/token.ts'
import { prose } from '../../output/result.ts'
import { lazySchema, type RecordOf, type View } from '../../output/view.ts'

export const profileSchema = lazySchema((z, { instant, text }) =>
  z.looseObject({
    name: text,
    isCurrent: z.boolean(),
    environment: text,
    baseUrl: text.optional(),
    shop: text.optional(),
    timeZone: text.optional(),
    apiRevision: text.optional(),
    labelHosts: z.array(text).optional(),
    database: text.optional(),
    credentialProcess: text.optional(),
    defaultOutput: text.optional(),
    defaultColumns: z.record(text, z.array(text)).optional(),
    signature: text.optional(),
    replyTemplates: text.optional(),
    protected: z.boolean(),
    keyring: z.boolean().optional(),
    hasToken: z.boolean().describe('Not looked at in the keyring'),
    tokenIn: z.enum(['settings file', 'keyring', 'credential process']).optional(),
    tokenExpiresAt: instant.optional(),
  }),
)

type ProfileRow = RecordOf<typeof profileSchema>

export const profilesView: View<ProfileRow> = {
  columns: [
    { name: 'current', header: '', value: (p) => (p.isCurrent ? '*' : '') },
    { name: 'name', identifies: true },
    'environment',
    {
      name: 'base-url',
      value: (p) => p.baseUrl ?? (p.environment === 'mock' ? 'built-in sandbox' : ''),
      flexible: true,
    },
    'shop',
    { name: 'protected', value: (p) => (p.protected ? 'yes' : '') },
    {
      name: 'token',
      value: ({ tokenIn, environment }) => tokenIn ?? (environment === 'mock' ? 'not needed' : 'none'),
    },
  ],
  extra: [
    'time-zone',
    'api-revision',
    { name: 'label-hosts', value: (p) => p.labelHosts?.join(', ') },
    'database',
    'credential-process',
    'signature',
    'reply-templates',
    { name: 'token-expires', path: 'tokenExpiresAt' },
  ],
  schema: profileSchema,
  empty: 'No profiles',
}

export function profileRow(profile: Profile, current: string): ProfileRow {
  const { token, ...rest } = profile
  const expiresAt = token === undefined ? undefined : readToken(token).expiresAt
  return {
    ...rest,
    database: rest.database && shownDatabaseUrl(rest.database),
    isCurrent: profile.name === current,
    protected: profile.protected ?? false,
    hasToken: token !== undefined || profile.keyring === true,
    tokenIn: tokenPlace(profile),
    tokenExpiresAt: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString(),
  }
}

function tokenPlace({ token, keyring, credentialProcess }: Profile): ProfileRow['tokenIn'] {
  if (credentialProcess !== undefined) return 'credential process'
  if (keyring) return 'keyring'
  return token === undefined ? undefined : 'settings file'
}

export async function renderProfile(context: Context, text: string, profile: Profile) {
  const json = profileRow(profile, await context.profiles.current())
  await context.render(prose(text, json))
}
