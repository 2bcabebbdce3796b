export const ENVIRONMENTS = ['mock', 'development', 'staging', 'production'] as const
export const API_REVISIONS = ['1.4', '1.2.10'] as const

export const OUTPUT_FORMATS = ['table', 'json', 'ndjson', 'csv', 'yaml'] as const

export type Environment = (typeof ENVIRONMENTS)[number]
/** Spec §9, §4.2. */
export type ApiRevision = (typeof API_REVISIONS)[number]

/** Always there: the sandbox inside the command. */
export const MOCK = 'mock'
export const PROFILE_NAME = /^[A-Za-z0-9._-]+$/

/** A type, since the file's schema keeps unknown fields. */
export type Profile = {
  name: string
  environment: Environment
  /** Missing for `mock` only. */
  baseUrl?: string | undefined
  shop?: string | undefined
  /** IANA name. */
  timeZone?: string | undefined
  apiRevision?: ApiRevision | undefined
  /** Hosts of label URLs inside the network: `labels.example`, `10.0.0.5:8443`. */
  labelHosts?: string[] | undefined
  /** Writes ask for confirmation. */
  protected?: boolean | undefined
  /** New labels' codes are entered on their returns. */
  registerLabels?: boolean | undefined
  /** File of customs data and weights by SKU. */
  goods?: string | undefined
  /** PostgreSQL database of the mirror. */
  database?: string | undefined
  /** Format if neither flag nor environment names one. */
  defaultOutput?: (typeof OUTPUT_FORMATS)[number] | undefined
  /** Columns of table and CSV, by command: `returns list`. */
  defaultColumns?: Record<string, string[]> | undefined
  /** Command that prints a token, in place of `token`. */
  credentialProcess?: string | undefined
  /** The token is in the operating system's keyring, in place of `token`. */
  keyring?: boolean | undefined
  token?: string | undefined
}

/** Production does even where an edited file does not say so. */
export function isProtected(profile: Profile | undefined): boolean {
  return profile?.protected ?? profile?.environment === 'production'
}
