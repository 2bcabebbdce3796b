import type { SentEntry } from '../../audit/entry.ts'
import { auditLinks } from '../../audit/read.ts'
import type { Context } from '../../cli/context.ts'
import { countFlag, type FlagValues, switchFlag, textFlag } from '../../config/flag-kinds.ts'
import { parseWhen, refuseBlank } from '../../config/flag-values.ts'
import { canonicalName, parseLabelId } from '../../wire/return-names.ts'
import { type AuditRow, auditView } from './audit.result.ts'

export const auditFlags = {
  since: textFlag('DATE', 'Sent at this time or later: 2026-03-01, today, 7d, 12h'),
  shipment: textFlag('ID', 'Sent for this shipment or return'),
  profile: textFlag('NAME', 'Sent with this profile', { char: 'p' }),
  limit: countFlag('N', 'How many in all, 100 by default'),
  all: switchFlag('All that match', { exclusive: ['limit'] }),
}

type AuditFilters = FlagValues<typeof auditFlags>

export async function listAudit(context: Context, filters: AuditFilters) {
  const { all, limit = 100, shipment } = filters
  refuseBlank('--shipment', shipment)
  const rows = await wantedRows(context.audit.dir, await readFilter(filters, context))
  rows.reverse().sort((one, other) => other.time.localeCompare(one.time))
  const items = all ? rows : rows.slice(0, limit)
  await context.renderList(items, auditView)
  if (items.length < rows.length) await context.note(`${items.length} of ${rows.length}; --all for the rest`)
  if (shipment !== undefined)
    await context.note('Rows of bulk jobs are not searched: rma jobs show JOB has those that did not succeed')
}

async function wantedRows(dir: string, isWanted: (row: AuditRow) => boolean): Promise<AuditRow[]> {
  const rows = new Map<string, AuditRow>()
  const ofChain = new Map<string, AuditRow[]>()
  for await (const { entry } of auditLinks(dir)) {
    if (entry === undefined) continue
    const { type, chain, seq } = entry
    if (type === 'sent') {
      const row = rowOf(entry)
      if (!isWanted(row)) continue
      rows.set(`${chain} ${seq}`, row)
      ofChain.set(chain, [...(ofChain.get(chain) ?? []), row])
    } else if (type === 'ended') {
      const { outcome, rows: counts = null, journal } = entry
      const row = rows.get(`${chain} ${entry.of}`)
      if (row) Object.assign(row, { outcome, rows: counts, journalSha256: journal?.sha256 ?? null })
    } else {
      for (const row of ofChain.get(chain) ?? []) row.exitCode = entry.exitCode
    }
  }
  return [...rows.values()]
}

/** Returns a write without an end: it is under way, or its process was killed. */
function rowOf(sent: SentEntry & { time: string }): AuditRow {
  const { time, command, agent = null, profile, origin, operation } = sent
  const { shipmentId = null, bodySha256 = null, jobId = null } = sent
  const what = { time, command, agent, profile, origin, operation, shipmentId, bodySha256 }
  return { ...what, outcome: 'unknown', exitCode: null, jobId, rows: null, journalSha256: null }
}

/** Names a shipment by its id, or by the return that the id begins with. */
async function readFilter(
  { since, shipment, profile }: AuditFilters,
  context: Context,
): Promise<(row: AuditRow) => boolean> {
  const zone = since === undefined ? 'UTC' : await context.timeZone()
  const when = { edge: 'from', zone, now: context.io.now(), flag: '--since' } as const
  const from = since === undefined ? 0 : parseWhen(since, when).epochMs
  const names = shipment === undefined ? [] : [shipment.trim(), canonicalName(shipment)]
  const wanted = names.map((name) => name.toLowerCase())
  const isNamed = (id: string) =>
    [id, parseLabelId(id)?.name].some((name) => wanted.includes(name?.toLowerCase() ?? ''))
  return (row) =>
    Date.parse(row.time) >= from &&
    (profile === undefined || row.profile === profile) &&
    (shipment === undefined || isNamed(row.shipmentId ?? ''))
}
