/** Environment of the programs that rma starts, without its secrets. */
export function childEnv({
  RMA_TOKEN: _,
  RMA_DATABASE: database,
  ...others
}: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isSecret =
    database === undefined || /:\/\/[^/@]*:.*@|[?&]password=|^[^:]*\bpassword\s*=/i.test(database)
  return isSecret ? others : { ...others, RMA_DATABASE: database }
}
