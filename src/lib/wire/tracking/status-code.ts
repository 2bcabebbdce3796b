export type NotApplied = 'duplicate' | 'stale'

type StatusMeaning = 'applied' | NotApplied | 'rejected' | 'unclear'

const NUMBER = /^(?:HTTP_)?([1-5]\d\d)(?:_|$)/
const WORDS: readonly (readonly [StatusMeaning, RegExp])[] = [
  ['applied', /^(OK\d*|SUCCESS|ACCEPTED)$/],
  ['duplicate', /^(DUPLICATED?|REPEATED|ALREADY_\w+|NOT_(CHANGED|MODIFIED))$/],
  ['stale', /^(STALE|OUTDATED|OBSOLETE|SUPERSEDED|TOO_OLD|OUT_OF_(DATE|ORDER))$/],
  ['rejected', /^(KO|NOK|FAIL|FAILED|FAILURE|REJECTED|REFUSED|DENIED|INVALID|FORBIDDEN|[A-Z]{2}\d+)$/],
  ['rejected', /^(UNAUTHORI[SZ]ED|UNPROCESSABLE|UNSUCCESSFUL)(_|$)/],
  ['rejected', /(^|_)(ERRORS?|EXCEPTION|NOT|BAD|INVALID)(_|$)/],
]

/** Returns what an acknowledgement says. Decided (spec §4.1, §4.4 leave it open). */
export function statusCodeMeaning(statusCode: unknown): StatusMeaning {
  const word = String(statusCode ?? '')
    .toUpperCase()
    .replace(/[^A-Z\d]+/g, '_')
    .replace(/^_|_$/g, '')
  const hundreds = NUMBER.exec(word)?.[1]?.[0]
  if (hundreds === '2') return 'applied'
  if (hundreds === '4' || hundreds === '5') return 'rejected'
  return WORDS.find(([, pattern]) => pattern.test(word))?.[0] ?? 'unclear'
}
