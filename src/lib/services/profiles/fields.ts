import { resolve } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { withoutPassword } from '../../config/database-url.ts'
import { type FlagValues, listFlag, switchFlag, textFlag } from '../../config/flag-kinds.ts'
import { forgetInKeyring } from '../../config/keyring.ts'
import { API_REVISIONS, ENVIRONMENTS, MOCK, OUTPUT_FORMATS, type Profile } from '../../config/profile.ts'
import type { ProfileChanges } from '../../config/profiles.ts'
import { usageError } from '../../errors.ts'
import { defined } from '../../wire/raw.ts'

export const profileFlags = {
  environment: textFlag('ENVIRONMENT', 'development, staging, production or mock'),
  'base-url': textFlag('URL', 'Address of the platform, with its path prefix'),
  shop: textFlag('CODE', 'Shop to work for'),
  'time-zone': textFlag('ZONE', 'Zone of dates, such as Europe/Madrid'),
  'api-revision': textFlag('REV', 'Revision of the interface: 1.4 or 1.2.10'),
  'label-hosts': textFlag('HOST,…', 'Hosts inside your network that labels may be fetched from'),
  protected: switchFlag('Ask before anything is written; the default for production', { allowNo: true }),
  database: textFlag('URL', 'PostgreSQL database of the mirror: postgres://user@host/database'),
  'register-labels': switchFlag("Enter new labels' codes on their returns (labels create --register)", {
    allowNo: true,
  }),
  goods: textFlag('FILE', 'Customs data and weights by SKU (labels create --goods)'),
  signature: textFlag(
    'TEXT',
    'What messages to customers end with (returns explain --reply); \\n begins a line',
  ),
  'reply-templates': textFlag('DIR', 'Folder of your own sentences for messages to customers: fr.yaml …'),
  'credential-process': textFlag(
    'CMD',
    'Command that prints the token, run without a shell, in place of a stored one',
  ),
  'default-output': textFlag('FORMAT', 'Output where neither -o nor RMA_OUTPUT says'),
  'default-columns': listFlag(
    'COMMAND=A,B,…',
    "Columns of a command's tables: 'returns list=name,status'; repeatable, replaces all",
    { multipleNonGreedy: true },
  ),
}

type ProfileFlagValues = Partial<FlagValues<typeof profileFlags>>

export function givenFields(flags: ProfileFlagValues): Partial<Profile> {
  const fields = {
    environment: oneOf('--environment', flags.environment, ENVIRONMENTS),
    baseUrl: flags['base-url'],
    shop: flags.shop,
    timeZone: flags['time-zone'],
    apiRevision: oneOf('--api-revision', flags['api-revision'], API_REVISIONS),
    labelHosts: flags['label-hosts']?.split(',').map((host) => host.trim()),
    protected: flags.protected,
    database: flags.database && withoutPassword(flags.database),
    defaultOutput: oneOf('--default-output', flags['default-output'], OUTPUT_FORMATS),
    defaultColumns: columnsByCommand(flags['default-columns']),
    credentialProcess: flags['credential-process'],
    registerLabels: flags['register-labels'],
    goods: flags.goods && resolve(flags.goods),
    signature: flags.signature?.replaceAll('\\n', '\n'),
    replyTemplates: flags['reply-templates'] && resolve(flags['reply-templates']),
  }
  return defined(fields)
}

export const UNSETTABLE = Object.keys(profileFlags).filter(
  (name) => name !== 'environment' && name !== 'base-url',
)

export function changedFields(flags: ProfileFlagValues & { unset?: string[] }): ProfileChanges {
  const removed = (flags.unset ?? []).map((name) => [
    name.replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase()),
    undefined,
  ])
  const changes = { ...givenFields(flags), ...Object.fromEntries(removed) }
  if (Object.keys(changes).length > 0) return changes
  throw usageError('Nothing to change was given.', 'for example: --shop CODE, or --unset shop')
}

function columnsByCommand(given: readonly string[] | undefined): Record<string, string[]> | undefined {
  if (given === undefined) return undefined
  const rows = given.map((text) => {
    const [, command, columns] = /^(?:rma )?([a-z -]+)=(.+)$/.exec(text) ?? []
    if (command !== undefined && columns !== undefined) {
      return [command.trim(), columns.split(',').map((name) => name.trim())]
    }
    throw usageError(
      `--default-columns: ${JSON.stringify(text)} is not COMMAND=A,B.`,
      "for example: --default-columns 'returns list=name,status'",
    )
  })
  return Object.fromEntries(rows)
}

function oneOf<T extends string>(flag: string, value: string | undefined, known: readonly T[]) {
  if (value === undefined) return undefined
  const found = known.find((one) => one === value)
  if (found !== undefined) return found
  throw usageError(`${flag}: ${JSON.stringify(value)} is not one of ${known.join(', ')}.`)
}

export async function profileNamed(context: Context, name: string | undefined): Promise<Profile> {
  return context.profiles.get(name ?? (await context.settings()).profile?.value ?? MOCK)
}

/** @throws AppError as `forgetInKeyring`, before anything is removed */
export async function removeProfile(
  context: Context,
  name: string,
  yes: boolean | undefined,
): Promise<Profile> {
  const { profiles, questions } = context
  const profile = await profiles.get(name)
  await questions.confirmRemoval(`Remove the profile ${name} and its token?`, { yes, profile: name })
  await forgetInKeyring(profile, (text) => context.note(text))
  await profiles.remove(name)
  return profile
}
