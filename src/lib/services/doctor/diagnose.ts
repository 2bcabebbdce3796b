import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Http } from '../../api/http/client.ts'
import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import type { Settings } from '../../config/settings.ts'
import { AppError } from '../../errors.ts'
import { counted } from '../../wire/counted.ts'
import { type BundleFlags, checkBundle, writeBundle } from './bundle.ts'
import { examinedView } from './doctor.result.ts'
import { type Examination, type Examined, examine } from './examination.ts'
import { folderExaminations } from './folders.ts'
import { keptDataExaminations } from './kept-data.ts'
import { networkExaminations } from './network.ts'
import { lookForNewerVersion } from './newer-version.ts'
import { type Essential, platformExaminations } from './platform.ts'
import { settingsExaminations } from './settings.ts'
import { surroundingsExaminations } from './surroundings.ts'

/** Checks that other topics supply. */
export interface Specialists {
  essentials(http: Http, run: { shop: string | undefined; now: () => number }): Promise<readonly Essential[]>
  jobsDir: string
}

/** One attempt, and no long one: whoever asks what is wrong waits for the answer. */
const PATIENCE = { timeoutMs: 5000, retries: 0 }

/**
 * Prints what was looked at, and writes it for support.
 * @throws AppError `partial` if something was found, `usage` for a bundle that can't be written, or a bad flag
 */
export async function diagnose(
  context: Context,
  connection: Pick<Connection, 'http' | 'impatient'>,
  flags: BundleFlags,
  specialists: Specialists,
): Promise<void> {
  const { settings, failure } = await readSettings(context)
  await context.checkOutput(examinedView)
  await checkBundle(flags)
  context.progress.start('Examining')
  const results: Examined[] = []
  const examinations = examinationsOf(context, connection, specialists, settings, failure)
  const counts = () => ({
    ok: results.filter(({ verdict }) => verdict === 'ok').length,
    found: results.filter(({ verdict }) => verdict === 'found').length,
    skipped: results.filter(({ verdict }) => verdict === 'skip').length,
  })
  const items = async function* () {
    for await (const examined of examine(examinations, context.io.now)) {
      results.push(examined)
      yield examined
    }
  }
  const envelope = { key: 'checks', rest: counts }
  await context.render({ kind: 'list', items: items(), view: examinedView, envelope })
  if (flags.bundle !== undefined)
    await writeBundle({ ...flags, bundle: flags.bundle }, results, settings, context)
  conclude(results)
  await context.note(`Nothing was found in ${counts().ok} checks`)
}

/** Bad flags are mistakes of the moment; all else is what a doctor is there for. */
async function readSettings(
  context: Context,
): Promise<{ settings: Settings | undefined; failure: AppError | undefined }> {
  try {
    return { settings: await context.settings(), failure: undefined }
  } catch (error) {
    if (!(error instanceof AppError) || error.message.startsWith('--')) throw error
    context.setSettingsAside()
    return { settings: undefined, failure: error }
  }
}

function examinationsOf(
  context: Context,
  connection: Pick<Connection, 'http' | 'impatient'>,
  { essentials, jobsDir }: Specialists,
  settings: Settings | undefined,
  failure: AppError | undefined,
): Examination[] {
  const { io, paths } = context
  const isMissing = settings?.isSandbox && !existsSync(join(paths.dataDir, 'sandbox.db'))
  return [
    ...settingsExaminations(context, settings, failure),
    ...folderExaminations(context),
    ...surroundingsExaminations(context),
    ...networkExaminations(context, settings),
    ...platformExaminations({
      settings,
      settingsWithToken: () => context.settingsWithToken(),
      now: io.now,
      connect: (hasToken) =>
        settings?.isSandbox ? connection.http() : connection.impatient(PATIENCE, hasToken),
      sandboxMissing: isMissing ? 'the built-in sandbox is made when it is first used' : undefined,
      essentials: (http) => essentials(http, { shop: settings?.shop?.value, now: io.now }),
    }),
    ...keptDataExaminations(context, settings, jobsDir),
    { id: 'system.version', look: () => lookForNewerVersion(context) },
  ]
}

function conclude(results: readonly Examined[]): void {
  const wrong = results.filter(({ verdict }) => verdict === 'found')
  if (wrong.length === 0) return
  const count = counted(wrong.length, 'check')
  throw new AppError('partial', `${count} of ${results.length} found something.`, {
    details: wrong.map(({ id, observed }) => ({ path: id, message: observed })),
    hints: [...new Set(wrong.flatMap(({ remedies }) => remedies))],
  })
}
