import { hash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import * as z from 'zod'
import type { Context } from '../../cli/context.ts'
import { makeDataFolder } from '../../config/paths.ts'
import { AppError, appError, errorCode, unless } from '../../errors.ts'
import { fileFailure } from '../../files/file-failure.ts'
import { readJsonFile } from '../../files/json-file.ts'
import { makeNewFolder } from '../../files/make-folder.ts'
import { replaceFile } from '../../files/temporary-file.ts'
import { PRINTER_DPIS } from '../../labels/paper/sheet-layout.ts'
import { FINAL_LABEL_FORMATS, PRINTER_LANGUAGES, SHEET_NAMES } from '../../wire/enumerations.ts'

const text = z.string()

const labelSchema = z.object({
  /** Counts from 1 in the order printed. Partial reprints keep it. */
  number: z.int(),
  name: text,
  clientShipmentId: text.nullable(),
  parcel: z.int(),
  format: z.enum(FINAL_LABEL_FORMATS),
  size: z.int(),
  sha256: text,
  carrierTrackingCode: text.nullable(),
  source: z.enum(['file', 'base64', 'url', 'label-free']),
})

const runSchema = z.object({
  version: z.literal(1),
  run: z.int(),
  /** Run that this one printed again. */
  of: z.int().optional(),
  printedAt: text,
  /** Message of the error that ended the run. */
  failed: text.optional(),
  /** Standard output if all are missing. */
  target: z.object({
    file: text.optional(),
    printer: text.optional(),
    address: text.optional(),
  }),
  language: z.enum(PRINTER_LANGUAGES),
  layout: z.object({
    sheet: z.enum(SHEET_NAMES),
    perPage: z.literal([1, 2, 4]),
    startAt: z.int(),
    dpi: z.literal(PRINTER_DPIS).optional(),
  }),
  pages: z.int(),
  copies: z.int(),
  labels: z.array(labelSchema),
})

export type PrintedLabel = z.infer<typeof labelSchema> & { bytes: Uint8Array }
type KeptRun = z.infer<typeof runSchema>
export interface PrintRun extends Omit<KeptRun, 'version' | 'run' | 'printedAt' | 'failed' | 'labels'> {
  labels: readonly PrintedLabel[]
}

const MAX_RUNS = 50
const MAX_FAILED = 10
const RECORD = 'run.json'

const folderOf = ({ paths }: Context, ...names: string[]) => join(paths.dataDir, 'print-runs', ...names)

/**
 * Saves a run for `--reprint` and returns its number, or undefined if it can't be saved.
 * @param failed message kept until `noteEnd`, in case the process is killed
 */
export async function keepRun(run: PrintRun, context: Context, failed?: string): Promise<number | undefined> {
  // Reprints may run in another folder.
  const { file } = run.target
  const target = { ...run.target, ...(file !== undefined && { file: resolve(file) }) }
  const contents = new Map(run.labels.map(({ sha256, bytes }) => [sha256, bytes]))
  const labels = run.labels.map(({ bytes: _, ...label }) => label)
  try {
    await makeDataFolder(folderOf(context))
    const numbers = await runNumbers(context)
    const failures = (await keptRuns(context)).flatMap((kept) => (kept.failed ? kept.run : []))
    let number = (numbers[0] ?? 0) + 1
    while (!(await makeNewFolder(folderOf(context, String(number))))) number += 1
    const folder = folderOf(context, String(number))
    await replaceFile(join(folder, 'labels'), (write) => {
      for (const content of contents.values()) write(content)
    })
    const record = { ...run, version: 1, run: number, printedAt: context.timestamp, failed, target, labels }
    await replaceFile(join(folder, RECORD), JSON.stringify(record))
    // A printer that is off must not push out all printed runs. The newest failures may be printed again.
    const first = failures.slice(MAX_FAILED)
    const last = [...numbers.filter((old) => !first.includes(old)), ...first]
    for (const old of last.slice(MAX_RUNS - 1))
      await rm(folderOf(context, String(old)), { recursive: true, force: true })
    return number
  } catch (error) {
    if (!(error instanceof AppError) && errorCode(error) === undefined) throw error
    await context.warn(`What is printed can't be kept for --reprint (${errorCode(error) ?? 'no place'})`)
    return undefined
  }
}

export async function noteEnd(run: number | undefined, context: Context, failed?: string) {
  if (run === undefined) return
  const record = await recordOf(run, context)
  const path = folderOf(context, String(run), RECORD)
  await replaceFile(path, JSON.stringify({ ...record, failed })).catch(async (error: unknown) => {
    if (!failed) await context.warn(`Run ${run} was printed, but is kept as failed (${errorCode(error)})`)
  })
}

/** Newest first. */
async function runNumbers(context: Context) {
  const names = await readdir(folderOf(context)).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  })
  const numbers = names.filter((name) => /^[1-9]\d{0,8}$/.test(name)).map(Number)
  return numbers.sort((a, b) => b - a)
}

/** Returns readable runs, newest first. */
export async function keptRuns(context: Context): Promise<KeptRun[]> {
  const found = await Promise.all(
    (await runNumbers(context)).map((number) => unless(recordOf(number, context), 'config')),
  )
  return found.filter((run) => run !== undefined)
}

/** Returns undefined for a run that was killed before it was kept. */
function recordOf(number: number, context: Context) {
  return readJsonFile(folderOf(context, String(number), RECORD), runSchema, 1)
}

/** @throws AppError `not-found` if nothing was printed under this number */
export async function readRun(run: string, context: Context): Promise<PrintRun & { run: number }> {
  const numbers = run === 'last' ? await runNumbers(context) : [Number(run)]
  for (const number of numbers) {
    const record = await recordOf(number, context)
    if (record === undefined) continue
    const path = folderOf(context, String(number), 'labels')
    const all = await readFile(path).catch((cause: unknown) => {
      throw fileFailure(cause, "What was printed can't be read", path)
    })
    const contents = new Map<string, Buffer>()
    let start = 0
    for (const { sha256, size } of record.labels) {
      if (contents.has(sha256)) continue
      contents.set(sha256, all.subarray(start, start + size))
      start += size
    }
    const labels = record.labels.map((label) => ({ ...label, bytes: contents.get(label.sha256) ?? all }))
    const changed = labels.find(({ bytes, sha256 }) => hash('sha256', bytes) !== sha256)
    if (changed)
      throw appError('config', `${path} has changed: it does not hold the label ${changed.name} as printed.`)
    return { ...record, labels }
  }
  throw appError(
    'not-found',
    run === 'last' ? 'Nothing has been printed on this machine yet.' : `There is no run ${run}.`,
    ...(run === 'last' ? ['rma labels print LABEL…'] : ['rma labels print --history lists the runs']),
  )
}
