import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { readDuration } from '../../config/flag-values.ts'
import { MOCK } from '../../config/profile.ts'
import { usageError } from '../../errors.ts'
import { forgetBefore, forgetPerson } from '../../mirror/store/forget.ts'
import { readChoices } from '../../mirror/store/state.ts'
import { counted } from '../../wire/counted.ts'
import { removeMirror, syncLine, withExistingMirror } from './location.ts'
import { forgetDetails, forgetView } from './mirror.result.ts'

const MAX_WAIT_MS = 60_000

interface ForgetFlags {
  all: boolean
  'older-than'?: string
  email?: string
  yes?: boolean
}

export async function runForget(context: Context, flags: ForgetFlags) {
  const render = async (where: string, returns: number | undefined) => {
    const notReached = await placesNotReached(context, where)
    context.progress.stop()
    const record = { removed: returns ?? null, database: where, notReached }
    await context.render({ kind: 'record', record, view: forgetView, details: forgetDetails })
    const what = returns === undefined ? 'All' : counted(returns, 'return')
    await context.done(`${what} removed from the mirror`)
  }
  const confirm = async (question: string, where: string, hasAllShops: boolean) => {
    const { profile, shop } = await context.settings()
    if (hasAllShops && shop) {
      const doubt = `${where} holds more shops than ${shop.value}`
      const hint = `without ${shop.origin}, returns of all its shops are removed`
      if (shop.source !== 'profile') throw usageError(`${doubt}.`, hint)
      await context.warn(`${doubt}, the shop of the ${shop.origin}`)
    }
    const asked = hasAllShops ? `${question} It holds more shops than one.` : question
    const consent = { yes: flags.yes, profile: profile?.value ?? MOCK }
    await context.questions.confirmRemoval(asked, consent)
  }
  if (flags.all) {
    const { where, removed } = await removeMirror(context, (place, hasAllShops) =>
      confirm(`Remove the whole mirror in ${place}, and the list of who was forgotten?`, place, hasAllShops),
    )
    return render(where, removed)
  }
  const ask = readForgetting(flags)
  await withExistingMirror(context, async (opened) => {
    const { mirror, where } = opened
    await confirm(ask.question, where, opened.hasAllShops)
    const turn = { waitMs: MAX_WAIT_MS, signal: context.requestsEnd }
    context.progress.start('Removing returns')
    const removed = await mirror.exclusively(turn, () =>
      ask.email !== undefined
        ? forgetPerson(mirror, ask.email)
        : forgetBefore(mirror, context.io.now() - ask.seconds * 1000),
    )
    await render(where, removed)
    const { without } = await readChoices(mirror.db)
    if (!(ask.email !== undefined && without.some((path) => /^(?:customer|origin)(?:\.email)?$/.test(path))))
      return
    const full = await syncLine(context, '--full')
    await context.warn(
      `This mirror leaves e-mail addresses out: returns of the person may remain until ${full}`,
    )
  })
}

function readForgetting({ email, 'older-than': olderThan }: ForgetFlags) {
  if (email !== undefined) {
    if (!/^[^\s@]+@[^\s@]+$/.test(email.trim())) {
      throw usageError(`--email: ${JSON.stringify(email)} is not an e-mail address.`)
    }
    return { email, question: `Remove all returns of ${email} from the mirror, and never copy them again?` }
  }
  if (olderThan === undefined) {
    throw usageError('Name what to forget.', '--email ADDRESS', '--older-than 90d', '--all')
  }
  const seconds = readDuration('--older-than', olderThan)
  return { seconds, question: `Remove all returns older than ${olderThan} from the mirror?` }
}

/** Removes mirror files that were moved aside. @returns other places that may hold the same data */
async function placesNotReached(context: Context, where: string) {
  const { dataDir } = context.paths
  const folder = join(dataDir, 'mirrors')
  const names = await readdir(folder).catch(() => [])
  const own = basename(where)
  for (const name of names.filter((one) => one.startsWith(`${own}.damaged`))) await rm(join(folder, name))
  const others = names.filter((name) => name.endsWith('.db') && (dirname(where) !== folder || name !== own))
  return [
    ...others.map((name) => `another mirror: ${join(folder, name)}`),
    'exports and other files that commands wrote',
    `folders of labels, and labels that were printed: ${join(dataDir, 'print-runs')}`,
    `bulk jobs and their input: ${join(dataDir, 'jobs')} (rma jobs prune)`,
    'traces (--trace), and what a terminal or a log kept',
    ...(dirname(where) === folder ? [] : ["the database server's write-ahead log, replicas and dumps"]),
    'backups and snapshots of these disks',
    'the platform itself',
  ]
}
