import { headOfTable } from '../bulk/rows/open.ts'
import { usageError } from '../errors.ts'
import { withDateOrder } from './date-format.ts'
import { type Detected, detectMapping } from './detect.ts'
import type { Answers, Mapping, OpenQuestion } from './mapping.ts'

interface Export {
  path: string
  name: string
  /** Default: the sheet with the most known columns. */
  sheet?: string
}

/** Returns undefined if no row looks like a header. */
export async function detectInFile(
  { path, name, sheet }: Export,
  answers: Answers,
): Promise<Detected | undefined> {
  const first = await headOfTable(path, { name, sheet })
  const sheets = sheet === undefined && first.sheets.length > 1 ? first.sheets : [sheet]
  let best: Detected | undefined
  for (const one of sheets) {
    const { rows } = one === sheet ? first : await headOfTable(path, { name, sheet: one })
    const detected = detectMapping(rows, answers)
    const columns = (found: Detected | undefined) => Object.keys(found?.mapping.columns ?? {}).length
    if (detected === undefined || columns(detected) <= columns(best)) continue
    best = one === undefined ? detected : { ...detected, mapping: { ...detected.mapping, sheet: one } }
  }
  return best
}

/** @throws AppError `usage` if dates may be read in two ways: one of them would be sent wrong */
export async function completeMapping(
  mapping: Mapping,
  file: Omit<Export, 'sheet'>,
  { zone, columns, constants, dates, byNumber, namesOnly }: Omit<Answers, 'statuses' | 'dateFormat'>,
): Promise<Mapping> {
  const { date: own } = mapping
  const ownDate = own?.format && dates ? { ...own, format: withDateOrder(own.format, dates) } : own
  if (!mapping.detect) return { ...mapping, date: ownDate }
  const answers = {
    ...mapping,
    zone: own?.zone ?? zone,
    dates,
    namesOnly,
    columns: { ...mapping.columns, ...columns },
    constants: constants ?? mapping.constants,
    byNumber: byNumber || mapping.by !== undefined,
  }
  const look = (given: Answers) => detectInFile({ ...file, sheet: mapping.sheet }, given)
  let found = await look(answers)
  // Most exports of carriers name no return.
  if (found?.open.some(({ of }) => of === 'shipmentId') && found.mapping.columns.trackingNumber !== undefined)
    found = await look({ ...answers, byNumber: true })
  if (found === undefined) return { ...mapping, detect: false }
  // A documented format holds for its documented column only.
  const isDocumented = found.mapping.columns.trackingDate === mapping.columns.trackingDate
  const date = isDocumented && ownDate?.format ? ownDate : found.mapping.date
  const either = found.open.find(({ kind, of }) => kind === 'date' || of === 'trackingDate')
  if (either && !namesOnly && !(either.kind === 'date' && date?.format))
    throw ambiguousDate(file.name, either)
  return {
    ...found.mapping,
    ...(date && { date }),
    source: mapping.source,
    looseNames: mapping.looseNames || found.mapping.looseNames,
    leaveOut: [...mapping.leaveOut, ...found.mapping.leaveOut],
    commonWords: mapping.commonWords,
    detect: false,
  }
}

function ambiguousDate(file: string, { kind, what, flag, choices = [] }: OpenQuestion) {
  const isFormat = kind === 'date'
  return usageError(
    `${file}: can't tell ${what}${isFormat ? '' : `: ${choices.join(' or ')}`}.`,
    isFormat ? 'say which: --dates DMY or --dates MDY' : '--set trackingDate=DATE, if no column has it',
    `make a mapping that says it: rma mappings init FILE ${flag}`,
  )
}
