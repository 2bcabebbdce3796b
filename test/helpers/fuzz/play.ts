import assert from 'node:assert/strict'
import type fc from 'fast-check'
import { AppError, type ErrorKind } from '../../../src/lib/errors.ts'

export interface FuzzTarget {
  /** Permitted errors. */
  kinds: readonly ErrorKind[]
  /** Throws if the input has a forbidden effect. Returns a value that distinguishes outcomes. */
  check(bytes: Buffer): unknown
  /** Inputs that random changes of bytes seldom make. */
  inputs?(): Promise<fc.Arbitrary<Buffer>>
}

const MAX_CPU_MS = 1000
const MAX_GROWTH_KIB = 256 * 1024

/** A shorter case can't take too much; the system's figures cost more than most cases. */
const SHORT_MS = 20

let used = process.resourceUsage()

/** Checks an input within one second and 256 MiB. Returns its outcome without values. */
export async function play({ kinds, check }: FuzzTarget, bytes: Buffer): Promise<string> {
  // The first try includes the short cases before it, and the first cases compile code.
  for (let triesLeft = 3; ; triesLeft -= 1) {
    const [started, before] = [performance.now(), used]
    const outcome = await outcomeOf(kinds, () => check(bytes))
    if (performance.now() - started < SHORT_MS) return outcome
    used = process.resourceUsage()
    const cpuMs = (used.userCPUTime - before.userCPUTime + used.systemCPUTime - before.systemCPUTime) / 1000
    assert(used.maxRSS - before.maxRSS < MAX_GROWTH_KIB, `took ${(used.maxRSS - before.maxRSS) >> 10} MiB`)
    if (cpuMs < MAX_CPU_MS) return outcome
    assert(triesLeft > 0, `took ${cpuMs} ms of CPU`)
  }
}

async function outcomeOf(kinds: readonly ErrorKind[], work: () => unknown): Promise<string> {
  try {
    return String(await work())
  } catch (error) {
    if (!(error instanceof AppError && kinds.includes(error.kind))) throw error
    return withoutValues(error.message)
  }
}

/** Removes quoted texts and numbers from a message. */
export function withoutValues(message: string): string {
  return message.replace(/"(?:[^"\\]|\\.)*"|\d+/g, '#').slice(0, 120)
}
