import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Alias } from '../../config/aliases.ts'
import { type Env, resolvePaths } from '../../config/paths.ts'
import { resolvePlatform } from '../../config/platform-settings.ts'
import { MOCK, type Profile } from '../../config/profile.ts'
import type { KeptPrinter } from '../../config/profile-schema.ts'
import { readToken } from '../../config/token.ts'
import { answeringOrigin, mirrorFiles } from '../mirror/mirror-file.ts'
import type { Candidate, GivenFlags } from './answer.ts'
import type { LiveSource } from './table.ts'

/** Looks into files of this machine. Nothing is sent or written, and no process is started. */
export async function lookUpLive(
  source: LiveSource,
  typed: string,
  flags: GivenFlags,
  env: Env,
): Promise<readonly Candidate[]> {
  const paths = resolvePaths(env)
  const inMirror = () => openMirrorFile(flags, env)
  switch (source) {
    case 'aliases':
      return readAliases(env).map(({ name, expansion }) => ({ value: name, about: `= ${expansion}` }))
    case 'carrier-services':
      return named((await inMirror())?.recent('carrier_service'))
    case 'jobs':
      // Newest first.
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

/** Names of files that match, or the first group of the pattern. */
function namesIn(folder: string, pattern: RegExp): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .sort()
    .flatMap((name) => pattern.exec(name)?.at(-1) ?? [])
}

export function readAliases(env: Env): readonly Alias[] {
  return readSettings(env).aliases
}

interface SettingsText {
  current?: string
  profiles: Profile[]
  printers: KeptPrinter[]
  aliases: Alias[]
}

/** Unchecked, as the checks would take longer than all else. */
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

/** Settings of the platform for the flags that were typed. */
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

/** Returns undefined without a file; a database of the team's is behind the network. */
async function openMirrorFile(flags: GivenFlags, env: Env) {
  const settings = await platformFor(flags, env)
  if (settings.database !== undefined) return undefined
  const paths = resolvePaths(env)
  const [file] = mirrorFiles(answeringOrigin(settings, paths), paths)
  if (file === undefined) return undefined
  const { MirrorGlance } = await import('../../mirror/store/glance.ts')
  return new MirrorGlance(file, settings.shop?.value)
}
