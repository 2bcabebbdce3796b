import { expect } from 'vitest'
import type { ReturnFacts } from '../../src/lib/insight/case.ts'
import { reconcile } from '../../src/lib/insight/reconcile.ts'
import { StatsCounter, statsFactsOf } from '../../src/lib/insight/stats.ts'
import { REFUNDED_STATUSES, StuckFinder, scanGapsOf } from '../../src/lib/insight/stuck.ts'
import {
  countReturns,
  countStats,
  countUnreadRefunds,
  readDiffering,
  readScanGaps,
  readStuck,
} from '../../src/lib/mirror/stats/facts.ts'
import type { MirrorStore } from '../../src/lib/mirror/store/open.ts'
import type { MirroredReturn, MirrorFilter } from '../../src/lib/mirror/store/read.ts'
import type { Transportation } from '../../src/lib/wire/transportations.ts'
import { eachReturn } from './mirror-home.ts'

/** Asserts that a mirror's measures match those of its documents. Returns counts of the compared returns. */
export async function expectMeasured(mirror: MirrorStore, now: number, filter: MirrorFilter = {}) {
  const all = await listOf(eachReturn(mirror))
  const isFiltered = Object.keys(filter).length > 0
  const passing = isFiltered ? await listOf(eachReturn(mirror, filter)) : all
  const [counter, expected] = [new StatsCounter('Europe/Madrid'), new StatsCounter('Europe/Madrid')]
  for (const facts of passing) expected.add(statsFactsOf(facts))
  await countStats(mirror.db, filter, counter)
  expect(counter.groups()).toEqual(expected.groups())

  const isWrong = (facts: ReturnFacts) => reconcile(facts).length > 0
  const wrong = passing.filter(isWrong)
  expect(await listOf(readDiffering(mirror.db, filter))).toEqual(wrong)

  const [finder, byDocuments] = [new StuckFinder(now), new StuckFinder(now)]
  // Transports that were copied before a return changed teach as well.
  const transports = await mirror.db.selectFrom('transports').select('document').execute()
  for (const { document } of transports) {
    const transport: Transportation = JSON.parse(document)
    byDocuments.learn(transport.carrierCode, transport.carrierServiceCode, scanGapsOf(transport))
  }
  for (const facts of all) byDocuments.add(facts)
  for await (const { carrier, carrierService, minutes } of readScanGaps(mirror.db, {})) {
    finder.learn(carrier, carrierService, minutes)
  }
  for await (const facts of readStuck(mirror.db, now, {})) finder.add(facts)
  const stuck = [...finder.found()]
  expect(stuck).toEqual([...byDocuments.found()])

  expect(await countReturns(mirror.db, filter)).toBe(passing.length)
  const { refundedFromMs, refundedToMs: _, ...others } = filter
  const possible = { ...others, ...(refundedFromMs !== undefined && { updatedFromMs: refundedFromMs }) }
  const isWider = Object.keys(others).length < Object.keys(filter).length
  const candidates = isWider ? await listOf(eachReturn(mirror, possible)) : passing
  const unread = candidates.filter(({ refunds }) => refunds === undefined)
  const ended = unread.filter(({ record }) => REFUNDED_STATUSES.includes(String(record.status)))
  expect(await countUnreadRefunds(mirror.db, filter)).toBe(unread.length)
  expect(await countUnreadRefunds(mirror.db, filter, REFUNDED_STATUSES)).toBe(ended.length)
  return { returns: passing.length, wrong: wrong.length, stuck: stuck.length }
}

async function listOf(items: AsyncIterable<MirroredReturn>): Promise<MirroredReturn[]> {
  const found: MirroredReturn[] = []
  for await (const item of items) found.push(item)
  return found
}
