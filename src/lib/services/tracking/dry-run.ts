import type { Shard } from '../../bulk/job/shard.ts'
import type { Context } from '../../cli/context.ts'
import { requestBase } from '../../config/base-url.ts'
import { plannedRequestView } from '../../output/views/tracking.ts'
import { counted } from '../../wire/counted.ts'
import { isInShard, type JobInput } from './job-rows.ts'
import { PATH } from './push-one.ts'

/** Of a job that was begun only the rows that it has left. */
export async function showRows(
  context: Context,
  input: JobInput,
  shard: Shard | undefined,
  isLeft: (ordinal: number) => boolean = () => true,
): Promise<void> {
  const base = requestBase(await context.settings())
  let count = 0
  let ordinal = -1
  const items = async function* () {
    for await (const batch of input.rows()) {
      context.assertNotInterrupted()
      for (const row of batch) {
        if (!isInShard(row, shard)) continue
        ordinal += 1
        if (row.report === undefined || row.isRepeated || !isLeft(ordinal)) continue
        count += 1
        yield { row: row.raw.row, method: 'POST', url: `${base}${PATH}`, body: row.report }
      }
    }
  }
  await context.render({ kind: 'list', items: items(), view: plannedRequestView })
  await context.note(`Dry run: nothing was sent; ${counted(count, 'row')} would be.`)
}
