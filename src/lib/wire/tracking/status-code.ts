export type NotApplied = 'duplicate' | 'stale'

type StatusMeaning = 'applied' | NotApplied | 'rejected' | 'unclear'

const NUMBER = /^(?:HTTP_)?([1-5]\d\d)(?:_|$)/
const WORDS: readonly (readonly [StatusMeaning, RegExp])[] = [
  ['applied', /^(OK|SUCCESS|ACCEPTED)$/],
  ['duplicate', /^(DUPLICATED?|REPEATED|ALREADY_\w+)$/],
  ['stale', /^(STALE|OUTDATED|OBSOLETE|SUPERSEDED|TOO_OLD|OUT_OF_(DATE|ORDER))$/],
  ['rejected', /^(KO|NOK|NOT_OK|FAIL|FAILED|FAILURE|REJECTED|REFUSED|DENIED|INVALID|NOT_FOUND)$/],
  ['rejected', /(^|_)ERRORS?(_|$)/],
]

/** Decided (spec §4.1, §4.4 leave it open). */
export function meaningOf(statusCode: unknown): StatusMeaning {
  const word = String(statusCode ?? '')
    .trim()
    .toUpperCase()
    .replace(/[\s-]+/g, '_')
  const hundreds = NUMBER.exec(word)?.[1]?.[0]
  if (hundreds === '2') return 'applied'
  if (hundreds === '4' || hundreds === '5') return 'rejected'
  return WORDS.find(([, pattern]) => pattern.test(word))?.[0] ?? 'unclear'
}
