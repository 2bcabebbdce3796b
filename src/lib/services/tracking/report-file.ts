import { type ColumnMapping, type FieldSpec, mapColumns } from '../../bulk/rows/columns.ts'
import { KeyTable } from '../../bulk/rows/compact-key-table.ts'
import { Contradictions } from '../../bulk/rows/conflicts.ts'
import { type RowProblem, readFields } from '../../bulk/rows/fields.ts'
import { LostZeros } from '../../bulk/rows/lost-zeros.ts'
import { openRows } from '../../bulk/rows/open.ts'
import { ProblemKinds } from '../../bulk/rows/problem-kinds.ts'
import { Recurrence, RowSet } from '../../bulk/rows/repeated-keys.ts'
import type { RawRow, RowFile } from '../../bulk/rows/row.ts'
import { AppError } from '../../errors.ts'
import { completeMapping } from '../../mappings/look-at.ts'
import { type AppliedMapping, applyMapping, type Mapping, translate } from '../../mappings/mapping.ts'
import { looseName } from '../../wire/return-names.ts'
import type { TrackingRequest } from '../../wire/tracking.ts'
import {
  canFollow,
  checkReport,
  isKnownStatus,
  REPORT_FIELDS,
  type ReportField,
  type ReportFields,
  type ReportOptions,
} from './report.ts'
import { ReportDigest } from './report-digest.ts'
import { numberDoubt, RowDoubts } from './row-doubts.ts'
import type { ReportRow, Survey, Surveying } from './survey.ts'

/** Fields that are not just text. */
const KINDS: Partial<Record<ReportField, Omit<FieldSpec, 'name'>>> = {
  shipmentId: { kind: 'identifier', required: true },
  trackingStatus: { kind: 'text', required: true },
  trackingNumber: { kind: 'identifier' },
  trackingDate: { kind: 'date' },
}
const FIELDS = REPORT_FIELDS.map((name) => ({ name, kind: 'text' as const, ...KINDS[name] }))

/** How the cells of a row become a report. */
export interface RowReading {
  /** Field → column; goes before the mapping's. */
  map: ReadonlyMap<string, string>
  /** Values for every row, whatever the file says. */
  constants: ReportFields
  mapping?: Mapping | undefined
}

/** Memory of a row in bytes, at the least; compressed input takes a tenth. */
const ROW_BYTES = 64
const PACKED_ROW_BYTES = 8

interface Compared {
  shipments: Recurrence
  seen: KeyTable
  contradictions: Contradictions
}

/** Each pass reads the file anew, so that it need not fit into memory. */
export class ReportFile {
  #zeros = new LostZeros(FIELDS, 'carrierName')
  #repeated = new RowSet()
  #clockDoubt: string | undefined
  readonly #ownOptions: ReportOptions

  private constructor(
    readonly source: RowFile,
    readonly mapping: ColumnMapping,
    /** With all that the file itself had to tell. */
    readonly reading: RowReading,
    readonly translation: AppliedMapping | undefined,
    readonly options: ReportOptions,
  ) {
    const onLocalTime = (doubt: string | undefined) => {
      options.onLocalTime?.(doubt)
      this.#clockDoubt = doubt
    }
    this.#ownOptions = { ...options, onLocalTime }
  }

  /** @throws AppError `usage` for a file or columns that can't be used */
  static async open(
    path: string,
    name: string,
    { map, constants, mapping: given }: RowReading,
    options: ReportOptions,
  ): Promise<ReportFile> {
    const columns = Object.fromEntries(map)
    const { zone } = options
    const mapping = given && (await completeMapping(given, { path, name }, { zone, columns }))
    const translation = mapping && applyMapping(mapping)
    const chosen = new Map(Object.entries({ ...mapping?.columns, ...columns }))
    const needed = [...chosen.values(), ...(mapping?.date?.timeColumn ? [mapping.date.timeColumn] : [])]
    const layout = translation && { sheet: mapping?.sheet, columns: needed, isRow: translation.isRow }
    const source = await openRows(path, { name, layout })
    // A constant goes before a column of the same meaning, which is not sent then.
    const fields = FIELDS.filter((field) => constants[field.name] === undefined)
    const reading = { map, constants, mapping }
    return new ReportFile(source, mapColumns(fields, source, chosen), reading, translation, {
      ...options,
      looseNames: options.looseNames || mapping?.looseNames,
    })
  }

  /** The same file, read at another moment. Has to be surveyed anew. */
  at(now: number): ReportFile {
    return new ReportFile(this.source, this.mapping, this.reading, this.translation, { ...this.options, now })
  }

  /** Comes before `rows`: what is wrong with one may show in another. */
  async survey(surveying: Surveying): Promise<Survey> {
    const batches = this.surveyed(surveying)
    let step = await batches.next()
    while (!step.done) step = await batches.next()
    return step.value
  }

  /** The rows, as far as the survey has come; then the survey. Whether a row is repeated is not told yet. */
  async *surveyed({ onProgress, isMine = () => true, shop }: Surveying): AsyncGenerator<ReportRow[], Survey> {
    const { shipments, total } = await this.#overview(onProgress)
    const contradictions = new Contradictions(canFollow)
    const seen = new KeyTable()
    const unknownStatuses = new Set<string>()
    const problems = new ProblemKinds()
    const spoiltNumbers = new RowDoubts()
    const oddTimes = new RowDoubts()
    const counts = { rows: 0, mine: 0, invalid: 0, repeated: 0 }
    const timings = { dated: 0, undated: 0, future: 0 }
    const digest = new ReportDigest(shop)
    for await (const batch of this.rows()) {
      for (const row of batch) {
        const { report, raw } = row
        if (isMine(row)) counts.mine += 1
        if (row.timing) timings[row.timing] += 1
        if (report === undefined) {
          counts.invalid += 1
          problems.add(row.problems)
          continue
        }
        spoiltNumbers.see(raw.row, numberDoubt(report))
        oddTimes.see(raw.row, row.clockDoubt)
        if (!isKnownStatus(report.trackingStatus)) unknownStatuses.add(report.trackingStatus)
        if (this.#isRepeat(raw.row, report, { shipments, seen, contradictions })) counts.repeated += 1
        else digest.add(report, row.timing)
      }
      digest.flush()
      counts.rows += batch.length
      onProgress(counts.rows, total)
      yield batch
    }
    const [unseen] = this.mapping.unseen()
    if (unseen !== undefined) throw new AppError('usage', `--map: no record has the key "${unseen}".`)
    const { found, count } = contradictions
    return {
      ...counts,
      problems,
      contradictions: { found, count },
      spoiltNumbers,
      oddTimes,
      unknownStatuses,
      timings,
      digest: digest.end(),
    }
  }

  /** Compares a new row with other rows of its shipment. */
  #isRepeat(row: number, report: TrackingRequest, { shipments, seen, contradictions }: Compared): boolean {
    if (!shipments.mayRecur(report.shipmentId)) return false
    const { isNew } = seen.add(Object.values(report).join('\0'))
    if (isNew) claim(report, row, contradictions)
    else this.#repeated.add(row)
    return !isNew
  }

  /** Comes before any row is judged. Gives the shipments that may have several, and counts the rows. */
  async #overview(onProgress: Surveying['onProgress']): Promise<{ shipments: Recurrence; total: number }> {
    let total = 0
    const { bytes, format } = this.source
    const shipments = new Recurrence(bytes / (format === 'xlsx' ? PACKED_ROW_BYTES : ROW_BYTES))
    this.#zeros = new LostZeros(FIELDS, 'carrierName')
    this.#repeated = new RowSet()
    for await (const batch of this.source.rows()) {
      for (const raw of batch) {
        const { values } = this.#valuesOf(raw)
        this.#zeros.see(values)
        const { shipmentId } = this.#withName(values)
        if (shipmentId !== undefined) shipments.see(shipmentId)
      }
      total += batch.length
      onProgress(total)
    }
    return { shipments, total }
  }

  /** Names of all columns; complete after the survey. */
  columns(): readonly string[] {
    return this.source.header ?? this.mapping.columns
  }

  async *rows(): AsyncGenerator<ReportRow[]> {
    for await (const batch of this.source.rows()) yield batch.map((raw) => this.#read(raw))
  }

  #valuesOf(raw: RawRow): { values: ReportFields; problems: readonly RowProblem[] } {
    const { values, problems } = readFields(raw, this.mapping)
    const onDoubt = (doubt: string) => {
      this.#clockDoubt = doubt
    }
    if (this.translation) translate(values, raw, this.translation, onDoubt)
    return { values: Object.assign(values, this.reading.constants), problems }
  }

  /** The same fields, after a look for lost zeros, which what was typed tells. */
  #withName(values: ReportFields): ReportFields {
    const { shipmentId } = values
    if (this.options.looseNames && shipmentId !== undefined) values.shipmentId = looseName(shipmentId)
    return values
  }

  #read(raw: RawRow): ReportRow {
    this.#clockDoubt = undefined
    const { values, problems } = this.#valuesOf(raw)
    const columnOf = (field: string) =>
      this.mapping.bind(raw.columns).bound.find((one) => one.field.name === field)?.column ?? field
    const lost = this.#zeros.problems(raw.row, values, columnOf)
    if (problems.length + lost.length > 0) {
      return { raw, report: undefined, problems: [...problems, ...lost], isRepeated: false }
    }
    const checked = checkReport(this.#withName(values), this.#ownOptions)
    const { report, timing } = checked
    if (checked.problems.length > 0) {
      const { row } = raw
      const own = checked.problems.map(({ field, ...rest }) => ({ row, column: columnOf(field), ...rest }))
      return { raw, report: undefined, problems: own, isRepeated: false, timing }
    }
    const clockDoubt = this.#clockDoubt
    return { raw, report, problems, isRepeated: this.#repeated.has(raw.row), timing, clockDoubt }
  }
}

function claim(
  { shopCode, shipmentId, trackingStatus, trackingNumber, trackingDate }: TrackingRequest,
  row: number,
  contradictions: Contradictions,
): void {
  contradictions.add({
    row,
    key: shopCode ? `${shipmentId} (${shopCode})` : shipmentId,
    state: trackingStatus,
    seconds: Date.parse(trackingDate ?? '') / 1000,
    number: trackingNumber ?? undefined,
  })
}
