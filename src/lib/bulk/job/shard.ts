import { usageError } from '../../errors.ts'
import { hash32 } from '../../wire/hash.ts'

const MAX_SHARDS = 10_000

/** Reads `3/8`, the third of eight parts. @throws AppError `usage` */
export function parseShard(text: string) {
  const [, index, of] = /^(\d{1,6})\/(\d{1,6})$/.exec(text.trim()) ?? []
  const shard = { index: Number(index), of: Number(of) }
  if (shard.of >= 1 && shard.of <= MAX_SHARDS && shard.index >= 1 && shard.index <= shard.of) return shard
  const hints = ['write it as i/n, with i from 1 to n: --shard 3/8 is the third of eight parts']
  if (shard.index === 0) {
    hints.push('if your scheduler counts from 0, add one: --shard "$((JOB_COMPLETION_INDEX + 1))/8"')
  }
  throw usageError(`There is no shard ${text}.`, ...hints)
}

/** Part from 1 that a key belongs to, the same on every machine and in every version. */
export function shardOf(key: string, of: number): number {
  return (hash32(key) % of) + 1
}
