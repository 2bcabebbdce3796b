type Env = Readonly<Record<string, string | undefined>>

/** Environment of the programs that rma starts, without its secrets. */
export function childEnv({ RMA_TOKEN: _, RMA_DATABASE: database, ...others }: Env): Env {
  const isSecret =
    database === undefined || /:\/\/[^/@]*:.*@|[?&]password=|^[^:]*\bpassword\s*=/i.test(database)
  return isSecret ? others : { ...others, RMA_DATABASE: database }
}
