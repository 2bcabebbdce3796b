import { type Answer, pageOf, type RecordedRequest } from './script-server.ts'

interface DatedReturn {
  createdAt: string
  updatedAt: string
}

/** Lists returns as platforms do: newest first, those within the dates of the request, no more than a page. */
export function listDated(
  returns: readonly DatedReturn[],
  { query }: Pick<RecordedRequest, 'query'>,
): Answer {
  const wall = (date: string) => date.slice(0, 19).replace(' ', 'T')
  const isWithin = (kind: string, date: string) =>
    wall(date) >= (query.get(`${kind}_from`) ?? '') && wall(date) <= (query.get(`${kind}_to`) ?? '9')
  const found = returns
    .filter((one) => isWithin('created', one.createdAt) && isWithin('updated', one.updatedAt))
    .sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1))
  return { body: pageOf(found.slice(0, Number(query.get('limit') ?? 100)), found.length) }
}
