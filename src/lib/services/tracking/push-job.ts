import * as z from 'zod'
import { type FoundPlatform, readPlatform } from '../../api/sandbox-mark.ts'
import type { Job, NewJob } from '../../bulk/job/job-folder.ts'
import { parseShard } from '../../bulk/job/shard.ts'
import type { Context } from '../../cli/context.ts'
import { MAX_WAIT_SECONDS } from '../../config/flag-values.ts'
import { AppError, isOfKind, usageError } from '../../errors.ts'
import { fieldNamed, pairIn, readConstants } from '../../mappings/constants.ts'
import { mappingStore } from '../../mappings/store.ts'
import { confirmWords } from './confirm-words.ts'
import { numberFinder } from './number-match.ts'
import type { AllowFlags, FileFlags } from './push-flags.ts'
import { type RowReading, readingSchema } from './survey.ts'
import type { UpdateRules } from './update.ts'
import type { UpdateFile } from './update-file.ts'

const limitsSchema = z.object({
  concurrency: z.number().optional(),
  ratePerSecond: z.number().optional(),
  maxFailures: z.union([z.number(), z.object({ percent: z.number() })]).optional(),
  /** Time limit of each request when the job was begun. */
  timeoutMs: z.number().optional(),
})

const rulesSchema = z.object({
  allowsUnknownStatus: z.boolean(),
  looseNames: z.boolean().optional(),
  allowsFuture: z.boolean().default(false),
  /** IANA name, for dates without a zone. */
  zone: z.string(),
  /** ISO 8601: date of updates that have none, by a sandbox's clock if the job goes to one. */
  moment: z.string().optional(),
  dates: z.enum(['DMY', 'MDY']).optional(),
})

const jobSchema = z.object({
  limits: limitsSchema,
  rules: rulesSchema,
  origin: readingSchema.extend({ kind: z.enum(['rows', 'plan']) }),
})

/** How rows become tracking updates, and how those are sent: given by flags, kept in the job. */
export interface PushJob {
  reading: RowReading
  rules: UpdateRules
  limits: z.infer<typeof limitsSchema>
  shard: NewJob['shard']
  /** Called only if a date depends on the platform's time. */
  destination?: () => Promise<FoundPlatform>
  /** Refuses a file before anything is asked or sent. */
  check?: (file: UpdateFile) => Promise<void>
  /** Hint for bad rows where no flag can help. */
  remedy?: string
}

/**
 * Asks the platform on the first call only. A job may begin in an outage: an unreachable platform then counts
 * as a live one, known by its base URL.
 */
export function destinationOf(context: Context, isForJob = false): () => Promise<FoundPlatform> {
  let destination: Promise<FoundPlatform> | undefined
  const ask = async () => {
    const http = await context.connection.http()
    return readPlatform(http).catch((error: unknown) => {
      if (!(isForJob && isOfKind(error, 'unavailable'))) throw error
      return { platform: http.baseUrl, sandboxNow: undefined }
    })
  }
  return () => {
    destination ??= ask()
    return destination
  }
}

export async function pushJobOf(context: Context, flags: FileFlags, isForJob = true): Promise<PushJob> {
  const { mapping, yes } = flags
  const asks = mapping !== undefined && !flags['dry-run']
  return {
    check: asks ? (file) => confirmWords(context, mapping, file, yes) : undefined,
    limits: {
      concurrency: flags.concurrency,
      ratePerSecond: readRate(flags.rate),
      maxFailures: readMaxFailures(flags['max-failures']),
    },
    rules: { ...(await rulesOf(context, flags)), findByNumber: numberFinder(context) },
    reading: await readingOf(context, flags),
    shard: flags.shard === undefined ? undefined : parseShard(flags.shard),
    destination: destinationOf(context, isForJob),
  }
}

/** @throws AppError `config` if this version does not understand the job */
export function pushJobIn({ id, info }: Job): PushJob & { kind: 'rows' | 'plan' } {
  const { input, options, shard, shop } = info
  const kept = jobSchema.safeParse({ limits: options, rules: options, origin: input.options })
  if (!kept.success)
    throw new AppError('config', `This version of rma does not understand the options of the job ${id}.`)
  const { limits, rules, origin } = kept.data
  const { moment = info.created, ...given } = rules
  const { kind, ...reading } = origin
  return { kind, limits, rules: { ...given, now: Date.parse(moment), shop }, reading, shard }
}

export function keptOptions({ limits, rules }: PushJob, now: number): Record<string, unknown> {
  return { ...limits, ...rulesSchema.parse({ ...rules, moment: new Date(now).toISOString() }) }
}

export async function rulesOf(
  context: Context,
  flags: AllowFlags & Pick<FileFlags, 'dates'>,
): Promise<UpdateRules> {
  const { timeZone, shop } = await context.settings()
  return {
    now: context.io.now(),
    zone: timeZone.value,
    onLocalTime: () => void context.timeZone(),
    allowsUnknownStatus: flags['allow-unknown-status'] ?? false,
    allowsFuture: flags['allow-future'] ?? false,
    looseNames: flags.names === 'loose',
    dates: flags.dates === 'DMY' || flags.dates === 'MDY' ? flags.dates : undefined,
    shop: shop?.value,
  }
}

/** Flags take precedence over their mapping. @throws AppError `usage`, `not-found` */
export async function readingOf(
  { paths }: Context,
  { map = [], set = [], mapping: name, by }: Pick<FileFlags, 'map' | 'set' | 'mapping' | 'by'>,
): Promise<RowReading> {
  const mapping = name === undefined ? undefined : (await mappingStore(paths).read(name)).mapping
  const columns = map.map((text) => {
    const [field, column] = pairIn(text)
    if (field !== '') return [fieldNamed(field) ?? field, column]
    throw usageError(
      `--map: ${JSON.stringify(text)} is not FIELD=COLUMN.`,
      '--map trackingNumber="Tracking no."',
    )
  })
  return {
    map: Object.fromEntries(columns),
    set: { ...mapping?.constants, ...readConstants(set) },
    mapping,
    byNumber: by === 'tracking-number',
  }
}

function readRate(text: string | undefined) {
  if (text === undefined) return undefined
  const [, count = '', unit] = /^(\d+(?:\.\d+)?)(?:\/(s|m))?$/.exec(text) ?? []
  const perSecond = Number(count) / (unit === 'm' ? 60 : 1)
  if (perSecond * MAX_WAIT_SECONDS >= 1) return perSecond
  throw usageError(
    `--rate: ${JSON.stringify(text)} is not a rate.`,
    '50/s, or 600/m; no less than one in 24 days',
  )
}

function readMaxFailures(text: string | undefined) {
  if (text === undefined) return undefined
  const [, count, sign] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? []
  const number = Number(count)
  if (sign === '%' && number <= 100) return { percent: number }
  if (sign === '' && Number.isInteger(number)) return number
  throw usageError(
    `--max-failures: ${JSON.stringify(text)} is neither a number nor a percentage.`,
    '--max-failures 100, or --max-failures 5%',
  )
}
