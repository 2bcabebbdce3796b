export const ENVIRONMENTS = ['mock', 'development', 'staging', 'production'] as const
export const API_REVISIONS = ['1.4', '1.2.10'] as const

export type Environment = (typeof ENVIRONMENTS)[number]
/** Revision of the service's interface (spec §9, §4.2). */
export type ApiRevision = (typeof API_REVISIONS)[number]

/** The profile that always exists: the sandbox that runs inside the command. */
export const MOCK = 'mock'
export const PROFILE_NAME = /^[A-Za-z0-9._-]+$/

/** How to reach one environment of the platform. (Not an interface: the file's schema also keeps unknown fields.) */
export type Profile = {
  name: string
  environment: Environment
  /** Missing for the profile `mock` only. */
  baseUrl?: string | undefined
  shop?: string | undefined
  /** IANA name. */
  timeZone?: string | undefined
  apiRevision?: ApiRevision | undefined
  /** Hosts of label URLs that may be inside the network: `labels.example`, `10.0.0.5:8443`. */
  labelHosts?: string[] | undefined
  /** Writes ask for confirmation. */
  protected?: boolean | undefined
  /** New labels' codes are entered on their returns. */
  registerLabels?: boolean | undefined
  token?: string | undefined
}

/** Whether writes ask for confirmation; production does also where a file edited by hand does not say so. */
export function isProtected(profile: Profile | undefined): boolean {
  return profile?.protected ?? profile?.environment === 'production'
}
