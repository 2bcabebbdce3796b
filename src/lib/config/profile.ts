export const ENVIRONMENTS = ['mock', 'development', 'staging', 'production'] as const
/** Spec §9, §4.2. */
export const API_REVISIONS = ['1.4', '1.2.10'] as const

export const OUTPUT_FORMATS = ['table', 'json', 'ndjson', 'csv', 'yaml'] as const

export const MOCK = 'mock'
export const PROFILE_NAME = /^[A-Za-z0-9._-]+$/

export type Profile = {
  name: string
  environment: (typeof ENVIRONMENTS)[number]
  baseUrl?: string
  shop?: string
  timeZone?: string
  apiRevision?: (typeof API_REVISIONS)[number]
  labelHosts?: string[]
  protected?: boolean
  registerLabels?: boolean
  goods?: string
  signature?: string
  replyTemplates?: string
  database?: string
  defaultOutput?: (typeof OUTPUT_FORMATS)[number]
  /** Keys are commands: `returns list`. */
  defaultColumns?: Record<string, string[]>
  credentialProcess?: string
  keyring?: boolean
  token?: string
}

export function credentialProcessOf({ name: profile, baseUrl, credentialProcess: command }: Profile) {
  return baseUrl && command ? { profile, baseUrl, command } : undefined
}

export function isProtected(profile: Profile | undefined) {
  return profile?.protected ?? profile?.environment === 'production'
}
