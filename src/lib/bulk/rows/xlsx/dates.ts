const MS_PER_DAY = 86_400_000
/** Day 0 of the two counts; the usual one holds a 29 February 1900 that never was, hence two beginnings. */
const FROM_1904 = Date.UTC(1904, 0, 1)
const FROM_1900 = Date.UTC(1899, 11, 31)
const AFTER_FEBRUARY_1900 = Date.UTC(1899, 11, 30)

export type DateStyle = 'date' | 'date-time' | 'time'

/** Formats that are known by number and not written into the file (ECMA-376 part 1, 18.8.30). */
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

/** @param code the format's text if the file has one, as `dd/mm/yyyy hh:mm` */
export function dateStyleOf(id: number, code: string | undefined): DateStyle | undefined {
  if (code === undefined) return BUILT_IN.find(([first, last]) => id >= first && id <= last)?.[2]
  // Text in quotes, escaped characters, fillers, colours and elapsed time ("[h]") name no date.
  const [shown = ''] = code.replace(/"[^"]*"|\\.|[_*].|\[[^\]]*\]/g, '').split(';')
  if (/general/i.test(shown)) return undefined
  const isTime = /[hs]/i.test(shown)
  if (/[dy]/i.test(shown) || (/m/i.test(shown) && !isTime)) return isTime ? 'date-time' : 'date'
  return isTime ? 'time' : undefined
}

/**
 * A day count as ISO 8601 without a zone, which a spreadsheet doesn't know: `2026-03-01`, `2026-03-01T10:00:00`,
 * `10:00:00`. Undefined if it is no date.
 */
export function dateText(serial: number, style: DateStyle, is1904: boolean): string | undefined {
  if (!Number.isFinite(serial) || serial < 0 || serial >= 2_958_466) return undefined
  // Day 60 is the one that never was.
  if (!is1904 && Math.floor(serial) === 60) return undefined
  const base = is1904 ? FROM_1904 : serial < 60 ? FROM_1900 : AFTER_FEBRUARY_1900
  const [day = '', time = ''] = new Date(base + Math.round(serial * MS_PER_DAY)).toISOString().split('T')
  const shortTime = time.replace(/(?:\.000)?Z$/, '')
  if (style === 'time') return serial < 1 ? shortTime : undefined
  return style === 'date' && shortTime === '00:00:00' ? day : `${day}T${shortTime}`
}
