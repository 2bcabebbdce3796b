import type { Context } from '../../cli/context.ts'
import type { Settings } from '../../config/settings.ts'
import { AppError } from '../../errors.ts'
import { counted } from '../../wire/counted.ts'
import { type BundleFlags, checkBundle, writeBundle } from './bundle.ts'
import { type ExaminedRow, examinedView } from './doctor.result.ts'
import { examine } from './examination.ts'
import { keptDataChecks, settingsChecks } from './kept-data.ts'
import { checkNewerVersion, machineChecks } from './machine.ts'
import { networkChecks } from './network.ts'
import { platformChecks } from './platform.ts'

/**
 * Other topics supply the checks of the platform and the folder of jobs. @throws AppError `partial` if
 * something was found, `usage`
 */
export async function diagnose(
  context: Context,
  flags: BundleFlags,
  others: { essentials: Parameters<typeof platformChecks>[1]; jobsDir: string },
) {
  const found = await readSettings(context)
  const settings = found instanceof AppError ? undefined : found
  await context.checkOutput(examinedView)
  checkBundle(flags)
  context.progress.start('Examining')
  const checks = {
    ...settingsChecks(context, found),
    ...machineChecks(context),
    ...networkChecks(context, settings),
    ...platformChecks(context, others.essentials, settings),
    ...keptDataChecks(context, settings, others.jobsDir),
    'system.version': () => checkNewerVersion(context.io.env, context.version),
  }
  const rows: ExaminedRow[] = []
  const items = async function* () {
    for await (const row of examine(checks, context.io.now)) {
      rows.push(row)
      yield row
    }
  }
  const count = (wanted: ExaminedRow['verdict']) => rows.filter(({ verdict }) => verdict === wanted).length
  const rest = () => ({ ok: count('ok'), found: count('found'), skipped: count('skip') })
  await context.render({
    kind: 'list',
    items: items(),
    view: examinedView,
    envelope: { key: 'checks', rest },
  })
  if (flags.bundle !== undefined)
    await writeBundle({ ...flags, bundle: flags.bundle }, rows, settings, context)
  const wrong = rows.filter(({ verdict }) => verdict === 'found')
  if (wrong.length === 0) return context.note(`Nothing was found in ${count('ok')} checks`)
  throw new AppError('partial', `${counted(wrong.length, 'check')} of ${rows.length} found something.`, {
    details: wrong.map(({ id, observed }) => ({ path: id, message: observed })),
    hints: [...new Set(wrong.flatMap(({ remedies }) => remedies))],
  })
}

/** Throws errors in flags. Returns other errors, to be reported as findings. */
async function readSettings(context: Context): Promise<Settings | AppError> {
  try {
    return await context.settings()
  } catch (error) {
    if (!(error instanceof AppError) || error.message.startsWith('--')) throw error
    context.useDefaultSettings()
    return error
  }
}
