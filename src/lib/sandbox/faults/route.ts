type RouteMatcher = (method: string, path: string) => boolean

/** Beyond it all are forgotten. Faults are read anew for each request, and to compile one takes longer than to use it. */
const MAX_COMPILED = 200
const compiled = new Map<string, RouteMatcher>()

/** Whether a request is one of a route's: `POST /shipping_labels`, `* /returns*`, `GET /returns/:id/refunds`. */
export function routeMatcher(route: string): RouteMatcher {
  const known = compiled.get(route)
  if (known !== undefined) return known
  if (compiled.size >= MAX_COMPILED) compiled.clear()
  const matcher = compile(route)
  compiled.set(route, matcher)
  return matcher
}

function compile(route: string): RouteMatcher {
  const [method = '*', pattern = '*'] = route.split(' ')
  const wanted = method.toUpperCase()
  const expression = new RegExp(`^${sourceOf(pattern)}$`, 's')
  return (given, path) => (wanted === '*' || wanted === given) && expression.test(path)
}

/** Look-aheads between stars: three `.*` would backtrack for ten seconds on a path of 4,000 characters. */
function sourceOf(pattern: string): string {
  const pieces = pattern
    .split(/\*+/)
    .map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/(?::\w+)+/g, '[^/]+?'))
  const [first = '', ...rest] = pieces
  const last = rest.pop()
  const middle = rest.map((piece, i) => `(?=(.*?${piece}))\\${i + 1}`).join('')
  return first + middle + (last === undefined ? '' : `.*${last}`)
}
