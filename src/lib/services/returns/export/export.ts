import { createHash } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { Flags } from '@oclif/core'
import { type ReturnFilters, returnPages } from '../../../api/returns.ts'
import { platformName } from '../../../api/sandbox-mark.ts'
import type { Context } from '../../../cli/context.ts'
import { type FlagValues, switchFlag } from '../../../config/flag-kinds.ts'
import { merchantOf } from '../../../config/merchant.ts'
import { AppError, isOfKind, usageError, withHints } from '../../../errors.ts'
import { fileFailure } from '../../../files/file-failure.ts'
import { writeJsonFile } from '../../../files/json-file.ts'
import { assertLocksOwned, withLock } from '../../../files/lock.ts'
import { syncFolder, withTemporaryFile } from '../../../files/temporary-file.ts'
import type { CountMismatch } from '../../../walk/compare.ts'
import { counted } from '../../../wire/counted.ts'
import { defined } from '../../../wire/raw.ts'
import { readFilters, returnsFilterFlags, typedFilters, utcMs } from '../list-flags.ts'
import type { ExportWriter } from './columns.ts'
import { ExportCopy, type Proof } from './copy.ts'
import { type ExportRow, exportDetails, exportView } from './export.result.ts'
import { exportFormat, WRITERS } from './formats.ts'
import { manifestPath, refuseOtherExports, Spool, type SpoolHeader, shownOrigin } from './spool.ts'

export const returnsExportFlags = {
  out: Flags.string({
    helpValue: 'FILE',
    required: true,
    summary: 'File to write: .csv, .ndjson, .xlsx, .parquet',
  }),
  ...returnsFilterFlags,
  restart: switchFlag('Begin anew in place of going on with what a cut-off run left'),
}

type ExportFlags = FlagValues<typeof returnsExportFlags>

/**
 * Keeps what was read in `FILE.partial` until all is written, so that another run can resume.
 * @throws AppError `partial` if the file is not proven complete
 */
export async function exportReturns(context: Context, flags: ExportFlags) {
  const { out } = flags
  const format = exportFormat(out)
  const what = `The export to ${out}`
  const lock = { what, waitMs: 0, kind: 'usage' as const }
  try {
    const manifest = await withLock(`${out}.partial.lock`, lock, () => runExport(context, flags, format))
    context.progress.stop()
    await context.render({ kind: 'record', record: manifest, view: exportView, details: exportDetails })
    if (!manifest.complete) throw incomplete(manifest)
    await context.done(`${counted(manifest.records, 'return')} written to ${out}`)
  } catch (error) {
    const failure = fileFailure(error, `${what} can't be written`, out)
    const goesOn = isOfKind(failure, 'interrupted', 'unavailable', 'contract')
    throw goesOn ? withHints(failure, 'run the same again: it goes on') : failure
  }
}

async function runExport(context: Context, flags: ExportFlags, format: ReturnType<typeof exportFormat>) {
  const { out } = flags
  const header = await newHeader(context, flags)
  await refuseOtherExports(out, header)
  const spool = await openSpool(context, header, flags)
  context.onClose(() => spool.close())
  context.progress.start('Reading returns')
  context.saveMemory()
  const { createdFrom, createdTo, ...filters }: ReturnFilters = spool.header.query
  const source = returnPages(await context.connection.returns({ timeZone: 'UTC' }), filters)
  const filter = { createdFromMs: utcMs(createdFrom), createdToMs: utcMs(createdTo) }
  const onProgress = (done: number, total: number | undefined) => {
    context.assertNotInterrupted()
    assertLocksOwned()
    context.progress.update(`Reading returns: ${done}${total ? ` of ${total}` : ''}`)
  }
  const copy = new ExportCopy({ source, spool, filter, onProgress })
  const proof = await copy.run()
  context.progress.update(`Writing ${basename(out)}`)
  const file = await writeExport(out, format, copy, context)
  const manifest = manifestOf(spool, proof, { file: basename(out), format, ...file }, context.timestamp)
  await writeJsonFile(manifestPath(out), manifest)
  await spool.remove()
  return manifest
}

async function openSpool(context: Context, header: SpoolHeader, flags: ExportFlags) {
  const path = `${flags.out}.partial`
  const begun = flags.restart ? undefined : await Spool.reopen(path)
  if (begun === undefined) return Spool.create(path, header)
  const [is, was] = [header, begun.header].map(({ filters, ...origin }) =>
    JSON.stringify([shownOrigin(origin), Object.entries(filters).sort()]),
  )
  if (is !== was) {
    await begun.close()
    // A refused first page leaves nothing to keep.
    if (begun.created.size === 0 && begun.state.position === null) return Spool.create(path, header)
    throw usageError(
      `${path} is of another export: ${shownExport(begun.header)}.`,
      'begin anew with --restart',
      'or choose another file with --out',
    )
  }
  await context.note(
    `Going on after ${counted(begun.created.size, 'return')} of the export begun ${begun.header.startedAt}.`,
  )
  return begun
}

async function newHeader(context: Context, flags: ExportFlags): Promise<SpoolHeader> {
  const query = defined(await readFilters(flags, context, { zone: 'UTC' }))
  const settings = await context.settingsWithToken()
  const { shops, ...owner } = merchantOf(settings)
  const [http, returns] = [
    await context.connection.http(),
    await context.connection.returns({ timeZone: 'UTC' }),
  ]
  context.progress.start('Reading returns')
  const { sandboxId, nowMs } = await returns.listPage({}, 1, 1)
  return {
    rmaExport: 1,
    platform: platformName(http, sandboxId),
    shop: settings.shop?.value ?? null,
    merchant: { ...owner, shops: [...shops] },
    filters: await typedFilters(flags, context),
    query,
    startedAt: context.timestamp,
    untilMs: nowMs ?? context.io.now(),
  }
}

async function writeExport(
  out: string,
  format: ReturnType<typeof exportFormat>,
  copy: ExportCopy,
  context: Context,
) {
  const writer: ExportWriter = await WRITERS[format]()
  const hash = createHash('sha256')
  let [bytes, lost] = [0, 0]
  await withTemporaryFile(
    out,
    (write) =>
      writer(
        copy.records(),
        (piece) => {
          const data = typeof piece === 'string' ? Buffer.from(piece) : piece
          write(data)
          hash.update(data)
          bytes += data.length
        },
        () => {
          lost += 1
        },
      ),
    async (temporary) => {
      // The former manifest stays until all is written: an interrupted export may be resumed.
      await rm(manifestPath(out), { force: true })
      await rename(temporary, out)
    },
    context.requestsEnd,
  )
  await syncFolder(dirname(out))
  if (lost > 0) {
    const what =
      format === 'xlsx'
        ? `${counted(lost, 'text is', 'texts are')} cut to 32,767 characters, all that a cell of a workbook holds.`
        : `${counted(lost, 'value is', 'values are')} empty, since a column of dates or numbers can't hold what was sent.`
    await context.warn(`${what} CSV and NDJSON hold all of it.`)
  }
  return { bytes, sha256: hash.digest('hex') }
}

function manifestOf(
  { header, created, state }: Spool,
  proof: Proof,
  file: Pick<ExportRow, 'file' | 'format' | 'bytes' | 'sha256'>,
  finishedAt: string,
): ExportRow {
  const { untilMs, query: _, ...origin } = header
  const { isComplete: complete, gone: goneMeanwhile, differences, ...counts } = proof
  return {
    ...file,
    records: created.size - goneMeanwhile,
    complete,
    until: new Date(untilMs).toISOString(),
    ...counts,
    duplicatesRemoved: state.duplicates,
    goneMeanwhile,
    differences: differences.map(shownDifference),
    ...origin,
    finishedAt,
  }
}

function shownExport({ filters, ...origin }: SpoolHeader) {
  const flags = Object.entries(filters).map(([name, value]) => `--${name} ${value}`)
  return [shownOrigin(origin), ...(flags.length > 0 ? flags : ['without filters'])].join(', ')
}

function incomplete({ totalRecords, counted: held, differences }: ExportRow) {
  const all =
    totalRecords === null ? 'the platform does not count them' : `the platform counts ${totalRecords}`
  return new AppError(
    'partial',
    `Not proven complete: ${counted(held, 'return is', 'returns are')} in the file, ${all}.`,
    {
      details: differences.map(({ from, to, totalRecords: there, counted: here }) => ({
        message: `created from ${from} to ${to}: ${here} in the file, the platform counts ${there ?? 'none'}`,
      })),
      hints: ['run it again when fewer returns change'],
    },
  )
}

function shownDifference({ fromMs, toMs, remoteCount, localCount }: CountMismatch) {
  const iso = (ms: number) => new Date(ms).toISOString()
  return { from: iso(fromMs), to: iso(toMs), totalRecords: remoteCount ?? null, counted: localCount }
}
