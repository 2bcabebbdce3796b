import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readReferences } from '../../api/return-references.ts'
import { ReturnsByReference } from '../../api/returns-by-reference.ts'
import type { Context } from '../../cli/context.ts'
import { readEnv } from '../../config/paths.ts'
import { appError, usageError } from '../../errors.ts'
import { childEnv } from '../../files/child-env.ts'
import { isRecord, isWebAddress } from '../../wire/raw.ts'
import type { Return } from '../../wire/returns.ts'
import { noteSeveral } from './return-parts.ts'
import { returnsView } from './returns.result.ts'

export async function showReturns(
  context: Context,
  given: readonly string[],
  { full: isFull, web: isWeb }: { full: boolean; web: boolean },
) {
  const references = await readReferences(given, () => context.streams.inputLines())
  const lookup = await context.connection.lookup()
  context.progress.start('Reading returns')
  // Loaded for people only: address formats load slowly.
  const details = async (shown: Return) =>
    (await import('./return-summary.ts')).describeReturn(shown, isFull, context)
  const [only] = given
  let names = references
  if (given.length === 1 && only !== undefined && only !== '-') {
    const found = await lookup.all(only)
    const [first] = found
    if (first && found.length === 1) {
      const record = await lookup.whole(first)
      if (isWeb) return showTrackingPage(record, context)
      return context.render({ kind: 'record', record, view: returnsView, details })
    }
    await noteSeveral(only, found, context)
    names = found.map(({ name }) => `${name}`)
  }
  if (isWeb) {
    const lines = names.slice(0, 3).map((name) => context.shellLine(['returns', 'get', name, '--web']))
    throw usageError('--web shows the page of one return.', ...(await Promise.all(lines)))
  }
  const items = new ReturnsByReference(lookup, references)
  await context.render({
    kind: 'list',
    items: context.counted(items),
    view: returnsView,
    details,
  })
  items.checkComplete()
}

/** Opens the carrier's tracking page, or prints its address without a browser. */
async function showTrackingPage({ name, activeTransportation }: Return, context: Context) {
  const { env } = context.io
  const address = isRecord(activeTransportation) ? `${activeTransportation.carrierTrackingUrl ?? ''}` : ''
  if (!isWebAddress(address))
    throw appError(
      'not-found',
      `${name} has no page of its carrier to be followed on.`,
      await context.shellLine(['returns', 'explain', `${name}`]),
    )
  const { href } = new URL(address)
  const browser = readEnv(env, 'BROWSER')
  const hasDisplay = ['BROWSER', 'DISPLAY', 'WAYLAND_DISPLAY'].some((variable) => readEnv(env, variable))
  const [program, ...args] = browser ? [browser] : (OPENERS[process.platform] ?? ['xdg-open'])
  if (program !== undefined && (hasDisplay || OPENERS[process.platform])) {
    const child = spawn(program, [...args, href], { env: childEnv(env), stdio: 'ignore', detached: true })
    child.unref()
    if (await once(child, 'spawn').catch(() => undefined)) return context.note(`Opened ${href}`)
  }
  await context.render({ kind: 'text', text: href, json: { url: href } })
}

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}
