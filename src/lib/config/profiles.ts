import { appError, usageError } from '../errors.ts'
import { credentialProcessOf, MOCK, type Profile } from './profile.ts'
import type { SettingsFile } from './profile-schema.ts'
import { createSettingsStorage, itemNamed } from './settings-file.ts'

export type ProfileChanges = Partial<Omit<Profile, 'name'>>

export type ProfileStore = ReturnType<typeof createProfileStore>

/** Methods throw `config` for an unknown name. */
export function createProfileStore(configDir: string, cacheDir = configDir) {
  const storage = createSettingsStorage(configDir)
  /** Removes the token that a credential process printed. */
  const forgetPrinted = async (profile: Profile) => {
    const process = credentialProcessOf(profile)
    if (process) await (await import('./credential-process.ts')).forgetProcessToken(process, cacheDir)
  }
  return {
    path: storage.path,
    list: async () => profilesOf(await storage.read()),
    get: async (name: string) => find(await storage.read(), name),
    current: async () => (await storage.read()).current ?? MOCK,
    async add(wanted: Profile) {
      const { checkProfile } = await import('./profile-schema.ts')
      const profile = checkProfile(protectProduction(wanted))
      await storage.update((file) => {
        const profiles = profilesOf(file)
        if (profiles.some(({ name }) => name === profile.name)) {
          throw appError(
            'config',
            `The profile ${profile.name} exists already.`,
            `change it: rma profiles set ${profile.name} …`,
          )
        }
        return { ...file, profiles: [...profiles, profile] }
      })
      return profile
    },
    /** @param seen profile for which the changes were made */
    async set(name: string, changes: ProfileChanges, seen?: Profile) {
      const former = seen ?? (await this.get(name))
      const { checkProfile } = await import('./profile-schema.ts')
      const file = await storage.update((before) => {
        const profile = find(before, name)
        if (profile.baseUrl !== former.baseUrl) {
          throw appError(
            'config',
            `The base URL of the profile ${name} has changed meanwhile: nothing was changed.`,
            'run it again',
          )
        }
        const changed = { ...profile, ...changes, name }
        const checked = checkProfile(changes.environment ? protectProduction(changed) : changed)
        refuseOtherOrigin(profile, checked)
        return {
          ...before,
          profiles: profilesOf(before).map((other) => (other.name === name ? checked : other)),
        }
      })
      await forgetPrinted(former)
      return find(file, name)
    },
    async use(name: string) {
      await storage.update((file) => ({ ...file, current: find(file, name).name }))
    },
    async remove(name: string) {
      if (name === MOCK) throw appError('config', 'The profile mock, the built-in sandbox, is always there.')
      await forgetPrinted(await this.get(name))
      await storage.update((file) => {
        find(file, name)
        const current = file.current === name ? MOCK : file.current
        return { ...file, current, profiles: profilesOf(file).filter((profile) => profile.name !== name) }
      })
    },
  }
}

function profilesOf({ profiles = [] }: SettingsFile): Profile[] {
  const mock = profiles.find(({ name }) => name === MOCK) ?? { name: MOCK, environment: 'mock' as const }
  return [mock, ...profiles.filter(({ name }) => name !== MOCK)]
}

function find(file: SettingsFile, wanted: string) {
  return itemNamed(profilesOf(file), wanted, (name, near, names) =>
    appError(
      'config',
      `There is no profile ${name}.`,
      ...near,
      `known profiles: ${names.join(', ')}`,
      'make one: rma profiles add NAME --environment production --base-url URL',
    ),
  )
}

function protectProduction(profile: Profile): Profile {
  return {
    ...profile,
    protected: profile.protected ?? (profile.environment === 'production' ? true : undefined),
  }
}

function refuseOtherOrigin(before: Profile, after: Profile) {
  const hasSameToken = after.keyring
    ? before.keyring
    : after.token !== undefined && after.token === before.token
  const [own, other] = [before.baseUrl, after.baseUrl].map((url) => url && new URL(url).origin)
  if (!hasSameToken || !own || !other || own === other) return
  throw usageError(
    `The token of the profile ${before.name} is for ${own}, not for ${other}.`,
    `forget it first: rma auth logout --profile ${before.name}`,
    `or add another profile: rma profiles add NAME --environment production --base-url ${after.baseUrl}`,
  )
}
