import type { Context } from '../../../cli/context.ts'
import { counted } from '../../../wire/counted.ts'
import type { PlannedRow } from './plan-file.ts'
import type { RowVerdict } from './row-effect.ts'

const LISTED = 20

const REASONS: Readonly<Record<Exclude<RowVerdict, 'new' | 'too early'>, string>> = {
  'no-op': 'the platform has it already',
  backward: 'lies behind what the platform has',
  illegal: "can't follow what the platform has, or is about a transport that has ended",
  stale: 'older than what the platform has',
  missing: 'no such return, or nothing under way for it',
  future: 'dated more than 24 hours ahead',
}

/** The rows that are not sent: the first ones, and how many there are. Early ones are sent with a warning. */
export class NotNew {
  readonly #lines: string[] = []
  #count = 0
  #early = 0

  add({ row, verdict, request }: PlannedRow): void {
    if (verdict === 'too early') this.#early += 1
    if (verdict === 'new' || verdict === 'too early') return
    this.#count += 1
    if (this.#lines.length >= LISTED) return
    const { shipmentId, trackingStatus } = request
    this.#lines.push(`row ${row}, ${shipmentId}: ${verdict} (${trackingStatus}: ${REASONS[verdict]})`)
  }

  async tell(context: Pick<Context, 'note' | 'warn'>): Promise<void> {
    await warnOfEarly(context, this.#early)
    if (this.#count === 0) return
    const more = this.#count - this.#lines.length
    const lines = [
      `${counted(this.#count, 'row is', 'rows are')} not new:`,
      ...this.#lines.map((line) => `  ${line}`),
    ]
    if (more > 0) lines.push(`  and ${more} more; rma tracking plan -o ndjson lists all`)
    for (const line of lines) await context.note(line)
  }
}

export async function warnOfEarly(context: Pick<Context, 'warn'>, count: number): Promise<void> {
  if (count === 0) return
  const rows = counted(count, 'row is', 'rows are')
  await context.warn(
    `${rows} dated more than 30 days before the return was made; the platform may refuse that`,
  )
}
