import type { Answers, Mapping } from '../../mappings/mapping.ts'

interface Typed {
  zone: string | undefined
  columns: Readonly<Record<string, string>>
  constants: Readonly<Record<string, string>>
  byNumber: boolean
  dateFormat: string | undefined
}

/** Completes the answers of flags by the mapping that is replaced. */
export function withOld(typed: Typed, old: Partial<Mapping> | undefined, defaultZone: string): Answers {
  const { columns, constants } = typed
  const byNumber = typed.byNumber || (old?.by !== undefined && columns.shipmentId === undefined)
  const oldColumns = { ...old?.columns }
  if (byNumber) delete oldColumns.shipmentId
  const oldConstants = Object.entries(old?.constants ?? {}).filter(([field]) => columns[field] === undefined)
  return {
    zone: typed.zone ?? old?.date?.zone ?? defaultZone,
    columns: { ...oldColumns, ...columns },
    constants: { ...Object.fromEntries(oldConstants), ...constants },
    byNumber,
    dateFormat: typed.dateFormat ?? old?.date?.format,
  }
}

/** Adds the parts of the replaced mapping that no flag changes. */
export function withRest(found: Mapping, old: Mapping): Mapping {
  const sameDate = found.date?.format === old.date?.format ? old.date : undefined
  const isSameKey = found.by === old.by && found.columns.shipmentId === old.columns.shipmentId
  return {
    ...old,
    ...found,
    by: found.by,
    date: found.date && { ...sameDate, ...found.date },
    leaveOut: isSameKey ? old.leaveOut : found.leaveOut,
    looseNames: old.looseNames || found.looseNames,
    commonWords: old.commonWords,
  }
}
