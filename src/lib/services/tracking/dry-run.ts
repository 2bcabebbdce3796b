import type { NewJob } from '../../bulk/job/job-file.ts'
import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import { requestBase } from '../../config/base-url.ts'
import { counted } from '../../wire/counted.ts'
import { type JobInput, jobRows } from './job-rows.ts'
import { NamedTransports } from './named-transports.ts'
import { PATH } from './push-one.ts'
import { plannedRequestView } from './tracking.result.ts'

/** Shows the requests of a job; of one that was begun, those of the rows that it has left. */
export async function showRows(
  { context, connection }: { context: Context; connection: Pick<Connection, 'tracking'> },
  input: JobInput,
  job: Pick<NewJob, 'shard' | 'shop'>,
  hasEnded: (ordinal: number) => boolean = () => false,
): Promise<void> {
  const base = requestBase(await context.settings())
  const named = new NamedTransports(
    () => connection.tracking(),
    () => performance.now(),
  )
  const counts = { sent: 0, others: 0 }
  let ordinal = -1
  const work = async function* () {
    for await (const batch of jobRows(input, job)) {
      context.assertNotInterrupted()
      yield batch.map((row) => row.work)
    }
  }
  const items = async function* () {
    for await (const batch of named.ahead(work(), hasEnded)) {
      for (const { row, value, skip } of batch) {
        ordinal += 1
        if (skip || hasEnded(ordinal)) continue
        const aim = await named.aim(value)
        counts[aim.kind === 'send' ? 'sent' : 'others'] += 1
        if (aim.kind === 'send') yield { row, method: 'POST', url: `${base}${PATH}`, body: aim.request }
      }
    }
  }
  await context.render({ kind: 'list', items: items(), view: plannedRequestView })
  await context.note(`Dry run: nothing was sent; ${counted(counts.sent, 'row')} would be.`)
  if (counts.others > 0)
    await context.note(
      `${counted(counts.others, 'row names a transport that is', 'rows name transports that are')} not the active one`,
    )
}
