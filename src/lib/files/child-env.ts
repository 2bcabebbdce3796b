type Env = Readonly<Record<string, string | undefined>>

/** The environment of the programs that rma starts: its own secrets stay here. */
export function childEnv({ RMA_TOKEN: _, RMA_DATABASE: database, ...others }: Env): Env {
  const isSecret =
    database === undefined || /:\/\/[^/@]*:.*@|[?&]password=|^[^:]*\bpassword\s*=/i.test(database)
  return isSecret ? others : { ...others, RMA_DATABASE: database }
}
