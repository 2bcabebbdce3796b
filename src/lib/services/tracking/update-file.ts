import { createHash } from 'node:crypto'
import { LostZeros, RecurringKeys, RowWarnings } from '../../bulk/rows/across-rows.ts'
import { type ColumnMapping, isSameColumn, mapColumns } from '../../bulk/rows/columns.ts'
import { readFields } from '../../bulk/rows/fields.ts'
import { openRows } from '../../bulk/rows/open.ts'
import { ProblemKinds } from '../../bulk/rows/problem-kinds.ts'
import { type RawRow, type RowFile, sourceText } from '../../bulk/rows/row.ts'
import { usageError } from '../../errors.ts'
import { completeMapping } from '../../mappings/detect-in-file.ts'
import { type AppliedMapping, applyMapping } from '../../mappings/mapping.ts'
import { isReplaced, isTransportStatus } from '../../wire/enumerations.ts'
import { canonicalName } from '../../wire/return-names.ts'
import { EndedTransports } from './ended-transports.ts'
import type { Match } from './number-match.ts'
import {
  comparison,
  digestText,
  nameKey,
  numberDoubt,
  type RowReading,
  StatusWords,
  type Surveying,
  type UpdateRow,
} from './survey.ts'
import {
  checkUpdate,
  FIELDS,
  FIELDS_BY_NUMBER,
  knownStatus,
  type UpdateFields,
  type UpdateRules,
} from './update.ts'

/** Minimum bytes of a row, plain and compressed. */
const ROW_BYTES = 64
const PACKED_ROW_BYTES = 8

export type Survey = Awaited<ReturnType<UpdateFile['survey']>>

/** Tracking updates in a file, which each pass reads anew to save memory. */
export class UpdateFile {
  #zeros = new LostZeros(FIELDS, 'carrierName')
  #repeated = new Set<number>()
  #clockChangeNote: string | undefined
  #matchOf: ((number: string, shop: string | undefined) => Match) | undefined
  readonly words = new StatusWords()
  readonly #ended = new EndedTransports()
  readonly #translation: AppliedMapping | undefined
  readonly #ownOptions: UpdateRules

  private constructor(
    readonly source: RowFile,
    readonly mapping: ColumnMapping,
    /** Includes what was detected in the file itself. */
    readonly reading: RowReading,
    readonly options: UpdateRules,
  ) {
    const onLocalTime = (doubt: string | undefined) => {
      options.onLocalTime?.(doubt)
      this.#clockChangeNote = doubt
    }
    this.#translation = reading.mapping && applyMapping(reading.mapping)
    const zone = reading.mapping?.date?.zone ?? options.zone
    this.#ownOptions = { ...options, zone, onLocalTime }
  }

  static async open(
    path: string,
    name: string,
    { map: columns, set: constants, mapping: given, byNumber: isByNumber = false }: RowReading,
    options: UpdateRules,
  ): Promise<UpdateFile> {
    const answers = { zone: options.zone, dates: options.dates, columns, constants, byNumber: isByNumber }
    const mapping = given && (await completeMapping(given, { path, name }, answers))
    const byNumber = isByNumber || mapping?.by === 'tracking-number'
    const translation = mapping && applyMapping(mapping)
    const chosen = new Map(Object.entries({ ...mapping?.columns, ...columns }))
    for (const field of [...Object.keys(constants), ...(byNumber ? ['shipmentId'] : [])]) chosen.delete(field)
    const needed = [...chosen.values(), ...(mapping?.date?.timeColumn ? [mapping.date.timeColumn] : [])]
    const layout = translation && { sheet: mapping?.sheet, columns: needed, isRow: translation.isRow }
    const source = await openRows(path, { name, layout })
    // A constant replaces the column of its field.
    const fields = (byNumber ? FIELDS_BY_NUMBER : FIELDS).filter(
      (field) => constants[field.name] === undefined,
    )
    const reading = { map: columns, set: constants, mapping, byNumber }
    return new UpdateFile(source, mapColumns(fields, source, chosen), reading, {
      ...options,
      looseNames: options.looseNames || mapping?.looseNames,
    })
  }

  /** Returns a copy with another time, which needs its own survey. */
  at(now: number): UpdateFile {
    return new UpdateFile(this.source, this.mapping, this.reading, { ...this.options, now })
  }

  /** Must end before `rows` is read, since rows are checked against each other. */
  async survey({ onProgress, isMine = () => true, shop }: Surveying) {
    const { shipments, total } = await this.#overview(onProgress)
    const { contradictions, isRepeat } = comparison(shipments, total)
    const unknownStatuses = new Set<string>()
    const problems = new ProblemKinds()
    const [spoiltNumbers, oddTimes, unmatched] = [new RowWarnings(), new RowWarnings(), new RowWarnings()]
    const counts = { rows: 0, mine: 0, unsendable: 0, invalid: 0, shopless: 0, repeated: 0, ambiguous: 0 }
    const timings = { dated: 0, undated: 0, future: 0 }
    const digest = createHash('sha256')
    const isMatched = (row: UpdateRow) => {
      if (row.update === undefined && isMine(row)) counts.unsendable += 1
      unmatched.see(row.raw.row, row.unmatched?.message)
      if (row.unmatched) digest.update(`${row.unmatched.message}\n`)
      if (row.unmatched?.code === 'AMBIGUOUS') counts.ambiguous += 1
      return row.unmatched === undefined
    }
    for await (const batch of this.rows()) {
      for (const row of batch.filter(isMatched)) {
        const { update, raw, timing } = row
        if (isMine(row)) counts.mine += 1
        if (timing) timings[timing] += 1
        if (update === undefined) {
          counts.invalid += 1
          problems.add(row.problems)
          continue
        }
        counts.shopless += Number(!update.shopCode)
        spoiltNumbers.see(raw.row, numberDoubt(update))
        oddTimes.see(raw.row, row.clockChangeNote)
        if (!isTransportStatus(update.trackingStatus)) unknownStatuses.add(update.trackingStatus)
        if (isRepeat(update, raw.row)) {
          this.#repeated.add(raw.row)
          counts.repeated += 1
        } else digest.update(`${digestText(update, timing, shop)}\n`)
      }
      counts.rows += batch.length
      onProgress(counts.rows, total)
    }
    return {
      ...counts,
      problems,
      contradictions: { found: contradictions.found, count: contradictions.count },
      spoiltNumbers,
      oddTimes,
      unmatched,
      unknownStatuses,
      timings,
      digest: digest.digest('hex'),
    }
  }

  async #overview(onProgress: Surveying['onProgress']) {
    let [total, hasEnds] = [0, false]
    const { bytes, format } = this.source
    const shipments = new RecurringKeys(bytes / (format === 'xlsx' ? PACKED_ROW_BYTES : ROW_BYTES))
    this.#zeros = new LostZeros(FIELDS, 'carrierName')
    this.#repeated = new Set()
    this.words.all.clear()
    const numbers = new Set<string>()
    for await (const batch of this.source.rows()) {
      for (const raw of batch) {
        const { values } = this.#valuesOf(raw)
        this.#zeros.see(values)
        this.words.see(raw, this.mapping, values.trackingStatus)
        const { shipmentId } = this.#withName(values)
        if (shipmentId !== undefined) shipments.see(nameKey(shipmentId))
        hasEnds ||= isReplaced(knownStatus(values.trackingStatus ?? ''))
        if (this.reading.byNumber && values.trackingNumber) numbers.add(values.trackingNumber)
      }
      total += batch.length
      onProgress(total)
    }
    const [unseen] = this.mapping.unseen()
    if (unseen !== undefined) throw usageError(`No record has the key "${unseen}" that was mapped.`)
    if (this.reading.byNumber) {
      this.#matchOf = await this.options.findByNumber?.(numbers)
      // Two numbers, or two spellings of one, may name a return: every row is compared.
      shipments.seeAll()
    }
    if (hasEnds) await this.#ended.see(this.rows(), shipments)
    return { shipments, total }
  }

  /** Complete after the survey. */
  columns(): readonly string[] {
    return this.source.header ?? this.mapping.columns
  }

  async *rows(): AsyncGenerator<UpdateRow[]> {
    for await (const batch of this.source.rows()) yield batch.map((raw) => this.#read(raw))
  }

  #valuesOf(raw: RawRow) {
    const { values, problems } = readFields(raw, this.mapping)
    const { columns, cells } = raw
    const { trackingStatus, trackingDate } = values
    const to = this.#translation
    const cell = (column: string) =>
      sourceText(cells[columns.findIndex((one) => isSameColumn(one, column))] ?? '')
    if (to && trackingStatus !== undefined) values.trackingStatus = to.status(trackingStatus)
    if (to && trackingDate !== undefined) {
      values.trackingDate = to.date(trackingDate, cell, (doubt) => {
        this.#clockChangeNote = doubt
      })
    }
    return { values: Object.assign(values, this.reading.set), problems }
  }

  /** Changes names after the search for lost zeros, which needs them as typed. */
  #withName(values: UpdateFields) {
    const { shipmentId } = values
    if (this.options.looseNames && shipmentId !== undefined) values.shipmentId = canonicalName(shipmentId)
    return values
  }

  #read(raw: RawRow): UpdateRow {
    this.#clockChangeNote = undefined
    const { values, problems } = this.#valuesOf(raw)
    const { trackingNumber: given = '', shopCode: shop } = values
    const match = given === '' ? undefined : this.#matchOf?.(given, shop?.trim() || this.options.shop)
    const number = this.reading.byNumber && given !== '' ? given : undefined
    const refused = { raw, update: undefined, number, problems, isRepeated: false }
    if (match && 'code' in match) return { ...refused, unmatched: match }
    const columnOf = (field: string) =>
      this.mapping.bind(raw.columns).bound.find((one) => one.field.name === field)?.column ?? field
    problems.push(...this.#zeros.problems(raw.row, values, columnOf))
    if (problems.length > 0) return refused
    const { name: shipmentId, number: trackingNumber, shopCode } = match ?? {}
    if (match) Object.assign(values, { shipmentId, trackingNumber, shopCode })
    const checked = checkUpdate(this.#withName(values), this.#ownOptions)
    const late = this.#ended.problems(checked.update, raw.row)
    for (const { field, ...rest } of [...checked.problems, ...(this.options.allowsAfterEnd ? [] : late)])
      problems.push({ row: raw.row, column: columnOf(field), ...rest })
    return {
      raw,
      update: problems.length === 0 ? checked.update : undefined,
      number,
      problems,
      isRepeated: this.#repeated.has(raw.row),
      timing: checked.timing,
      isAfterEnd: late.length > 0,
      clockChangeNote: this.#clockChangeNote,
    }
  }
}
