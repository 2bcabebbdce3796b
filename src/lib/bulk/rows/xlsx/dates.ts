const MS_PER_DAY = 86_400_000
/** The usual count holds a 29 February 1900 that never was, hence two beginnings. */
const FROM_1904 = Date.UTC(1904, 0, 1)
const FROM_1900 = Date.UTC(1899, 11, 31)
const AFTER_FEBRUARY_1900 = Date.UTC(1899, 11, 30)

export type DateStyle = 'date' | 'date-time' | 'time'

/** Formats without a text in the file (ECMA-376 part 1, 18.8.30). */
const BUILT_IN: readonly [first: number, last: number, style: DateStyle][] = [
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'date-time'],
  [27, 31, 'date'],
  [32, 33, 'time'],
  [36, 36, 'date'],
  [45, 47, 'time'],
  [50, 58, 'date'],
]

/** @param code `dd/mm/yyyy hh:mm`, if the file has it */
export function dateStyleOf(id: number, code: string | undefined): DateStyle | undefined {
  if (code === undefined) return BUILT_IN.find(([first, last]) => id >= first && id <= last)?.[2]
  // Removes quoted and escaped text, fillers, colours and elapsed time ("[h]").
  const [shown = ''] = code.replace(/"[^"]*"|\\.|[_*].|\[[^\]]*\]/g, '').split(';')
  if (/general/i.test(shown)) return undefined
  const isTime = /[hs]/i.test(shown)
  if (/[dy]/i.test(shown) || (/m/i.test(shown) && !isTime)) return isTime ? 'date-time' : 'date'
  return isTime ? 'time' : undefined
}

/** Returns ISO 8601 without a zone; undefined if it is no date. */
export function dateText(serial: number, style: DateStyle, is1904: boolean): string | undefined {
  if (!Number.isFinite(serial) || serial < 0 || serial >= 2_958_466) return undefined
  if (!is1904 && Math.floor(serial) === 60) return undefined
  const base = is1904 ? FROM_1904 : serial < 60 ? FROM_1900 : AFTER_FEBRUARY_1900
  const [day = '', time = ''] = new Date(base + Math.round(serial * MS_PER_DAY)).toISOString().split('T')
  const shortTime = time.replace(/(?:\.000)?Z$/, '')
  if (style === 'time') return serial < 1 ? shortTime : undefined
  return style === 'date' && shortTime === '00:00:00' ? day : `${day}T${shortTime}`
}
