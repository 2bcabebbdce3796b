import { readFile } from 'node:fs/promises'
import { arch, homedir, hostname, platform, release } from 'node:os'
import { strToU8, zipSync } from 'fflate'
import { maskText } from '../../api/trace/mask.ts'
import type { Context } from '../../cli/context.ts'
import type { removalFlags } from '../../cli/global-flags.ts'
import { type FlagValues, switchFlag, textFlag } from '../../config/flag-kinds.ts'
import { type Env, readEnv } from '../../config/paths.ts'
import type { Settings } from '../../config/settings.ts'
import { usageError } from '../../errors.ts'
import { childEnv } from '../../files/child-env.ts'
import { writeNewFile } from '../../files/write-new-file.ts'
import { escapeRegExp } from '../../wire/plain.ts'
import type { ExaminedRow } from './doctor.result.ts'
import shownVariables from './shown-variables.json'

export const bundleFlags = {
  bundle: textFlag('FILE.zip', 'Also write a file for support, without tokens and personal data'),
  force: switchFlag('Replace the file if it has other content', { dependsOn: ['bundle'] }),
}

export type BundleFlags = FlagValues<typeof bundleFlags & typeof removalFlags>

/** Listed by name, since others with `RMA_` or `NODE_`, such as NODE_AUTH_TOKEN, may be secrets. */
const SHOWN_VARIABLES = new Set(shownVariables)
const HOMES = /([\\/](?:home|Users|users)[\\/]+)[^\\/\s"':;,]+/g
/** Passwords in URLs and in proxy variables, which may lack a scheme. */
const PASSWORD_IN_URL = /(_PROXY": ")[^"]*@|(\b[a-z][a-z0-9+.-]*:\/\/)[^\s"'/]*@/gi
/** Shorter names of users and hosts would match unrelated words. */
const MIN_NAME_LENGTH = 3

export function checkBundle({ bundle }: BundleFlags) {
  if (bundle === undefined || /\.zip$/i.test(bundle)) return
  throw usageError(`--bundle: ${JSON.stringify(bundle)} does not end in .zip.`, '--bundle rma-support.zip')
}

/** Lists the contents, asks, and writes the bundle with mode 0600. @throws AppError `usage` */
export async function writeBundle(
  { bundle, force, yes }: BundleFlags & { bundle: string },
  results: readonly ExaminedRow[],
  settings: Settings | undefined,
  context: Context,
) {
  const { streams, questions } = context
  const redact = redactor(context.io.env, await secretsOf(context, settings))
  const files = Object.entries(contentsOf(results, settings, context)).map(
    ([name, content]) => [name, redact(JSON.stringify(content, undefined, 2))] as const,
  )
  // Printed even with --quiet: people must see what they hand over.
  await streams.err.write(
    [
      `In ${bundle}, without tokens and personal data:`,
      ...files.map(([name, text]) => `  ${name}, ${text.length} characters`),
      '',
    ].join('\n'),
  )
  if (questions.canAsk && !yes) await questions.ask(`Write ${bundle}?`, 'no bundle was written')
  const zip = zipSync(Object.fromEntries(files.map(([name, text]) => [name, strToU8(text)])))
  const { interrupt: signal } = context.io
  await writeNewFile({ what: 'bundle', path: bundle, content: [zip], force, signal, flag: '--bundle' })
  await context.note(`Written: ${bundle}`)
}

function contentsOf(
  results: readonly ExaminedRow[],
  settings: Settings | undefined,
  { io, paths, version }: Context,
) {
  const variables = Object.entries(io.env).filter(([name]) => SHOWN_VARIABLES.has(name.toUpperCase()))
  return {
    'checks.json': results,
    ...(settings && {
      'settings.json': {
        ...settings,
        token: settings.token && { ...settings.token, value: '***' },
        signature: undefined,
      },
    }),
    'system.json': {
      rma: version,
      node: process.version,
      system: `${platform()} ${release()} ${arch()}`,
      paths,
      environment: Object.fromEntries(variables),
    },
  }
}

/** Returns tokens, and the commands that print them. */
async function secretsOf({ profiles, io }: Context, settings: Settings | undefined) {
  const kept = await profiles.list().catch(() => [])
  const file = await readFile(profiles.path, 'utf8').catch(() => '')
  const inFile = [...file.matchAll(/"token"\s*:\s*"([^"]+)"/g)].map(([, token = '']) => token)
  const database = childEnv(io.env).RMA_DATABASE === undefined ? io.env.RMA_DATABASE : undefined
  const tokens = [settings?.token?.value, io.env.RMA_TOKEN, database, ...inFile]
  const commands = kept.map(({ credentialProcess }) => credentialProcess)
  return [...tokens, ...commands].flatMap((text) => text?.trim() || [])
}

/** Removes secrets, personal data, and names of this machine and its user. */
function redactor(env: Env, secrets: readonly string[]): (text: string) => string {
  const home = readEnv(env, 'HOME') ?? homedir()
  const user = ['USER', 'LOGNAME', 'USERNAME'].flatMap((name) => readEnv(env, name) ?? [])
  const names = [...new Set([...user, hostname()])].filter((name) => name.length >= MIN_NAME_LENGTH)
  const words = names.map((name) => new RegExp(`(?<![\\w-])${escapeRegExp(name)}(?![\\w-])`, 'gi'))
  return (text) => {
    const bare = [...secrets]
      .sort((a, b) => b.length - a.length)
      .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
      .reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
    const homeless = home.length > 1 ? bare.replaceAll(JSON.stringify(home).slice(1, -1), '~') : bare
    const masked = maskText(homeless.replace(PASSWORD_IN_URL, '$1$2***@').replace(HOMES, '$1***'))
    return words.reduce((rest, word) => rest.replace(word, '***'), masked)
  }
}
