import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { splitWords } from '../../config/command-words.ts'
import { type Env, resolvePaths } from '../../config/paths.ts'
import { resolvePlatform } from '../../config/platform-settings.ts'
import { MOCK, type Profile } from '../../config/profile.ts'
import type { KeptPrinter } from '../../config/profile-schema.ts'
import type { Alias } from '../../config/settings-file.ts'
import { readToken } from '../../config/token.ts'
import { answeringOrigin, mirrorFiles } from '../mirror/mirror-file.ts'
import {
  type Candidate,
  type CompletionTable,
  completeWords,
  type GivenFlags,
  type Lookups,
} from './answer.ts'
import { formatAnswer, readShellLine, SHELLS } from './shells.ts'

/** @param args name of the shell, then the words of its script. @returns an empty text on failure */
export async function answerKeyPress(file: string, args: readonly string[], env: Env): Promise<string> {
  try {
    const [name, ...rest] = args
    const shell = SHELLS.find((one) => one === name)
    if (shell === undefined) return ''
    const table: CompletionTable = JSON.parse(readFileSync(file, 'utf8'))
    const { words, skipped } = readShellLine(shell, rest, env)
    const lookups: Lookups = {
      // The table's candidates are offered even if live values fail.
      live: (...args) => lookUpLive(args, env).catch(() => []),
      files: (typed, extensions) => filesFor(typed, extensions, process.cwd()),
    }
    const found = await completeWords(table, withoutAlias(table, words, env), lookups)
    return formatAnswer(shell, found, skipped)
  } catch {
    return ''
  }
}

function withoutAlias({ commands }: CompletionTable, words: readonly string[], env: Env) {
  const [name, ...rest] = words
  if (rest.length === 0 || Object.keys(commands).some((id) => id.split(':')[0] === name)) return words
  const alias = readSettings(env).aliases.find((one) => one.name === name)
  return alias === undefined ? words : [...splitWords(alias.expansion).words, ...rest]
}

const MAX_FILES = 1000

function filesFor(typed: string, extensions: readonly string[] | 'folders', cwd: string) {
  const [, before = '', start = ''] = /^(.*[/\\])?([^/\\]*)$/s.exec(typed) ?? []
  const folder = resolve(cwd, before.replace(/^~(?=\/)/, homedir()) || '.')
  const found: Candidate[] = []
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const { name } = entry
    if (!name.startsWith(start) || (name.startsWith('.') && !start.startsWith('.'))) continue
    const isFolder =
      entry.isDirectory() ||
      (entry.isSymbolicLink() && statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory())
    if (isFolder) found.push({ value: `${before}${name}/` })
    else if (extensions !== 'folders' && hasExtension(name, extensions)) found.push({ value: before + name })
    if (found.length === MAX_FILES) break
  }
  return found
}

function hasExtension(name: string, extensions: readonly string[]) {
  const lower = name.toLowerCase()
  return extensions.length === 0 || extensions.some((one) => lower.endsWith(`.${one}`))
}

/** Reads local files only: sends no request and starts no process. */
async function lookUpLive(
  [source, typed, flags]: Parameters<Lookups['live']>,
  env: Env,
): Promise<readonly Candidate[]> {
  const paths = resolvePaths(env)
  const inMirror = () => openMirrorFile(flags, env)
  switch (source) {
    case 'aliases':
      return readSettings(env).aliases.map(({ name, expansion }) => ({
        value: name,
        about: `= ${expansion}`,
      }))
    case 'carrier-services':
      return named((await inMirror())?.recent('carrier_service'))
    case 'jobs':
      return named(namesIn(join(paths.dataDir, 'jobs'), /^\d{8}-\d{4}-\w{4}$/).reverse())
    case 'mappings':
      return named(namesIn(join(paths.configDir, 'mappings'), /^(?=(.+)\.json$)/))
    case 'printers':
      return readSettings(env).printers.map(({ name, address }) => ({ value: name, about: address }))
    case 'profiles':
      return readSettings(env).profiles.map(({ name, environment }) => ({ value: name, about: environment }))
    case 'returns':
      return named((await inMirror())?.returnNames(typed))
    case 'shops':
      return shops(flags, env)
    case 'zones':
      return named(Intl.supportedValuesOf('timeZone'))
    case 'commands':
      return []
  }
}

function named(values: readonly string[] = []): Candidate[] {
  return [...new Set(values)].map((value) => ({ value }))
}

function namesIn(folder: string, pattern: RegExp) {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .sort()
    .flatMap((name) => pattern.exec(name)?.at(-1) ?? [])
}

interface SettingsText {
  current?: string
  profiles: Profile[]
  printers: KeptPrinter[]
  aliases: Alias[]
}

/** Reads settings without checks, which would take longer than everything else. */
function readSettings(env: Env): SettingsText {
  const file = join(resolvePaths(env).configDir, 'config.json')
  const {
    profiles = [],
    printers = [],
    aliases = [],
    current,
  } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const mock: Profile = { name: MOCK, environment: 'mock' }
  const hasMock = profiles.some(({ name }: Profile) => name === MOCK)
  return { current, printers, aliases, profiles: hasMock ? profiles : [mock, ...profiles] }
}

function platformFor(flags: GivenFlags, env: Env) {
  const { current = MOCK, profiles } = readSettings(env)
  const get = (name: string) => {
    const profile = profiles.find((one) => one.name === name)
    if (profile === undefined) throw new Error(`no profile ${name}`)
    return profile
  }
  const { profile, shop, database } = flags
  return resolvePlatform({
    flags: { profile, shop, 'base-url': flags['base-url'], database },
    env,
    store: { get: async (name) => get(name), current: async () => current },
    readFile: async () => '',
  })
}

async function shops(flags: GivenFlags, env: Env): Promise<Candidate[]> {
  const { shop: _typed, ...given } = flags
  const { token, shop } = await platformFor(given, env)
  const ofToken = token === undefined ? [] : (readToken(token.value).shops ?? [])
  const mirror = await openMirrorFile(given, env)
  return named([...ofToken, ...(shop ? [shop.value] : []), ...(mirror?.recent('shop_code') ?? [])])
}

async function openMirrorFile(flags: GivenFlags, env: Env) {
  const settings = await platformFor(flags, env)
  if (settings.database !== undefined) return undefined
  const paths = resolvePaths(env)
  const [file] = mirrorFiles(await answeringOrigin(settings, paths), paths)
  if (file === undefined) return undefined
  const { MirrorGlance } = await import('../../mirror/store/glance.ts')
  return new MirrorGlance(file, settings.shop?.value)
}
