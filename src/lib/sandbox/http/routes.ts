import { TrieRouter } from 'hono/router/trie-router'
import { tryDecodeURI, tryDecodeURIComponent } from 'hono/utils/url'
import { ApiError, type Reply } from './answers.ts'
import { type ReceivedRequest, urlOf } from './received-request.ts'

/** Decoded parts of the path by their names; empty for one that the path has not. */
type PartOf = (name: string) => string

type Answering = (request: ReceivedRequest, part: PartOf) => Reply | Promise<Reply>

/** Answers by method and path; `HEAD` as `GET`. */
export class Routes {
  /** Router of paths with named parts. */
  readonly #router = new TrieRouter<Map<string, Answering>>()
  readonly #paths = new Map<string, Map<string, Answering>>()

  /** `path` names its parts as `:returnId`. */
  add(method: string, path: string, answer: Answering): void {
    const methods = this.#paths.get(path) ?? new Map<string, Answering>()
    if (path.includes(':') && !this.#paths.has(path)) this.#router.add('ALL', path, methods)
    this.#paths.set(path, methods.set(method, answer))
  }

  #find(path: string) {
    const plain = path.includes(':') ? undefined : this.#paths.get(path)
    if (plain !== undefined) return [plain, undefined] as const
    const [[found = [undefined, undefined] as const]] = this.#router.match('ALL', path)
    return found
  }

  /** @throws ApiError 404 for an unknown path, 405 for a method that it has not */
  async answer(request: ReceivedRequest): Promise<Reply> {
    const { method } = request
    const { pathname } = urlOf(request)
    // Text after `%25` is decoded together with its path segment.
    const path = pathname.includes('%') ? tryDecodeURI(pathname.replaceAll('%25', '%2525')) : pathname
    const [methods, parts] = this.#find(path)
    if (methods === undefined) throw ApiError.of(404, 'NF01', `No such path: ${path}`)
    const answer = methods.get(method === 'HEAD' ? 'GET' : method)
    if (answer === undefined) {
      const allow = [...methods.keys()].flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]))
      throw ApiError.of(405, 'MA01', `${method} is not allowed here`, { Allow: allow.join(', ') })
    }
    return answer(request, (name) => tryDecodeURIComponent(String(parts?.[name] ?? '')))
  }
}
