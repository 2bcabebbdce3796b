import { join } from 'node:path'
import { expect } from 'vitest'
import { root } from './run-cli.ts'
import { type Spawned, spawnCli, spawnEnv } from './spawn-cli.ts'

export interface Measured extends Spawned {
  peakMib: number
  /** CPU time, independent of the machine's other load. */
  cpuMs: number
}

/** Runs the built command, and measures CPU time and memory. */
export async function measuredCli(
  argv: readonly string[],
  env: Record<string, string>,
  stdin = '',
): Promise<Measured> {
  const meter = `--require=${join(root, 'test/helpers/peak-memory.cjs')}`
  const result = await spawnCli(argv, { env: spawnEnv({ ...env, NODE_OPTIONS: meter }), stdin })
  const [line = '', peak, cpu] = /\nPEAK (\d+) CPU (\d+)\n/.exec(result.stderr) ?? []
  return {
    ...result,
    stderr: result.stderr.replace(line, ''),
    peakMib: Number(peak) / 1024,
    cpuMs: Number(cpu),
  }
}

/** Asserts limits that hold for any input and answer. */
export function expectWithinLimits({ peakMib, cpuMs }: Measured): void {
  expect(peakMib).toBeLessThan(400)
  expect(cpuMs).toBeLessThan(10_000)
}
