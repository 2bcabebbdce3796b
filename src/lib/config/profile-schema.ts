import * as z from 'zod'
import { AppError } from '../errors.ts'
import { PRINTER_LANGUAGES } from '../wire/enumerations.ts'
import { defined, pathText } from '../wire/raw.ts'
import { isTimeZone } from '../wire/time.ts'
import { splitWords } from './command-words.ts'
import { databaseUrlProblem } from './database-url.ts'
import { API_REVISIONS, ENVIRONMENTS, MOCK, OUTPUT_FORMATS, PROFILE_NAME, type Profile } from './profile.ts'
import { baseUrlProblem, labelHostProblem } from './setting-values.ts'

const COMMAND_WORDS = /^[a-z]+(?:-[a-z]+)*(?: [a-z]+(?:-[a-z]+)*)?$/

const checked = (problemOf: (text: string) => string | undefined) =>
  z
    .string()
    .refine((text) => problemOf(text) === undefined, { error: ({ input }) => problemOf(String(input)) })

const nonEmpty = z.string().min(1, 'must not be empty')
const optionalText = nonEmpty.optional()
const optionalSwitch = z.boolean('must be true or false').optional()
const plainName = z.string().regex(PROFILE_NAME, 'may hold letters, digits, ".", "_" and "-" only')

/** Unknown fields are kept: a newer version may have written them. */
const profileSchema = z
  .looseObject({
    name: plainName,
    environment: z.enum(ENVIRONMENTS, `must be one of ${ENVIRONMENTS.join(', ')}`),
    baseUrl: checked(baseUrlProblem).optional(),
    shop: optionalText,
    timeZone: z.string().refine(isTimeZone, 'is not an IANA time zone, such as Europe/Madrid').optional(),
    apiRevision: z.enum(API_REVISIONS, `must be one of ${API_REVISIONS.join(', ')}`).optional(),
    labelHosts: z.array(checked(labelHostProblem)).optional(),
    protected: optionalSwitch,
    registerLabels: optionalSwitch,
    goods: optionalText,
    signature: optionalText,
    replyTemplates: optionalText,
    database: checked(databaseUrlProblem).optional(),
    defaultOutput: z.enum(OUTPUT_FORMATS, `must be one of ${OUTPUT_FORMATS.join(', ')}`).optional(),
    defaultColumns: z
      .record(
        z.string().regex(COMMAND_WORDS, 'must be a command, such as returns list'),
        z.array(nonEmpty).min(1),
      )
      .optional(),
    credentialProcess: nonEmpty
      .refine((text) => !splitWords(text).isOpen, 'has a quote that is not closed')
      .optional(),
    keyring: optionalSwitch,
    token: z
      .string()
      .regex(/^[!-~]+$/, 'must be one word in ASCII')
      .optional(),
  })
  .superRefine((profile, ctx) => {
    const say = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: [path], message })
    if (profile.credentialProcess !== undefined && (profile.token !== undefined || profile.keyring)) {
      say('credentialProcess', 'does not go with a stored token: rma auth logout forgets that')
    }
    if (profile.keyring && profile.token !== undefined)
      say('keyring', 'does not go with a token in this file')
    if (profile.name !== MOCK) {
      if (profile.baseUrl === undefined) say('baseUrl', 'is missing')
      return
    }
    if (profile.environment !== 'mock') say('environment', 'of the profile mock is always mock')
    for (const field of ['baseUrl', 'credentialProcess', 'token', 'keyring'] as const) {
      if (profile[field]) say(field, 'does not go with the profile mock, the built-in sandbox')
    }
  })

const printerSchema = z.looseObject({
  name: plainName,
  /** `HOST[:PORT]` or `cups:QUEUE`. */
  address: nonEmpty,
  language: z.enum(PRINTER_LANGUAGES, `must be one of ${PRINTER_LANGUAGES.join(', ')}`),
  sheet: optionalText,
  perPage: z.int().optional(),
  dpi: z.int().optional(),
})

export type KeptPrinter = z.infer<typeof printerSchema>

export const PROFILE_FIELDS = Object.keys(profileSchema.shape)

/** Lists, so that no name can be a path or a prototype's key. */
export const settingsFileSchema = z
  .looseObject({
    current: z.string().optional(),
    profiles: z.array(profileSchema).optional(),
    printers: z.array(printerSchema).optional(),
    aliases: z.array(z.looseObject({ name: nonEmpty, expansion: nonEmpty })).optional(),
  })
  .superRefine(({ current = MOCK, profiles = [], printers = [] }, ctx) => {
    const names = profiles.map(({ name }) => name)
    for (const [list, known] of Object.entries({ profiles: names, printers: printers.map((p) => p.name) })) {
      for (const [index, name] of known.entries()) {
        if (known.indexOf(name) < index) {
          ctx.addIssue({ code: 'custom', path: [list, index, 'name'], message: `${name} is there twice` })
        }
      }
    }
    if (current !== MOCK && !names.includes(current)) {
      ctx.addIssue({ code: 'custom', path: ['current'], message: 'names a profile that is not there' })
    }
  })

export type SettingsFile = z.infer<typeof settingsFileSchema>

/** `profiles[1].timeZone is not an IANA time zone`. Never holds a value, which may be a token. */
export function describeIssues(error: z.ZodError): { path: string; message: string }[] {
  return error.issues.map(({ path, message }) => ({
    path: pathText(path),
    message: message.replace(/^Invalid input: expected (\w+).*/, 'must be of type $1'),
  }))
}

export function checkProfile(profile: Profile): Profile {
  const parsed = profileSchema.safeParse(profile)
  if (!parsed.success) {
    const details = describeIssues(parsed.error)
    const [first] = details
    const what =
      details.length === 1 && first ? `${first.path} ${first.message}` : 'these settings are not right'
    throw new AppError('usage', `Profile ${JSON.stringify(profile.name)}: ${what}`, {
      hints: details
        .filter(({ path, message }) => path !== 'name' && !message.includes('rma '))
        .map(({ path }) => `set it with ${flagFor(path)}`),
      details: details.length === 1 ? [] : details,
    })
  }
  const { name, environment, ...rest } = parsed.data
  return {
    name,
    environment,
    ...defined(rest),
  }
}

/** `baseUrl` → `--base-url` */
function flagFor(field: string) {
  return field === 'token'
    ? 'rma auth login'
    : `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}
