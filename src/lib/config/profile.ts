export const ENVIRONMENTS = ['mock', 'development', 'staging', 'production'] as const
/** Spec §9, §4.2. */
export const API_REVISIONS = ['1.4', '1.2.10'] as const

export const OUTPUT_FORMATS = ['table', 'json', 'ndjson', 'csv', 'yaml'] as const

export const MOCK = 'mock'
export const PROFILE_NAME = /^[A-Za-z0-9._-]+$/

export type Profile = {
  name: string
  environment: (typeof ENVIRONMENTS)[number]
  baseUrl?: string | undefined
  shop?: string | undefined
  timeZone?: string | undefined
  apiRevision?: (typeof API_REVISIONS)[number] | undefined
  labelHosts?: string[] | undefined
  protected?: boolean | undefined
  registerLabels?: boolean | undefined
  goods?: string | undefined
  signature?: string | undefined
  replyTemplates?: string | undefined
  database?: string | undefined
  defaultOutput?: (typeof OUTPUT_FORMATS)[number] | undefined
  /** Keys are commands: `returns list`. */
  defaultColumns?: Record<string, string[]> | undefined
  credentialProcess?: string | undefined
  keyring?: boolean | undefined
  token?: string | undefined
}

export function isProtected(profile: Profile | undefined): boolean {
  return profile?.protected ?? profile?.environment === 'production'
}
