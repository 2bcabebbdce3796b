import { join } from 'node:path'
import { expect } from 'vitest'
import { root } from './run-cli.ts'
import { type Spawned, type SpawnOptions, shell, spawnCli, spawnEnv } from './spawn-cli.ts'

export interface Measured extends Spawned {
  peakMib: number
  /** CPU time, independent of the machine's other load. */
  cpuMs: number
}

/** Runs the built command, or a shell script with it, and measures CPU time and memory. */
export async function measuredCli(
  command: readonly string[] | string,
  env: Record<string, string>,
  options: SpawnOptions = {},
): Promise<Measured> {
  const meter = `--require=${join(root, 'test/helpers/peak-memory.cjs')}`
  const run = { ...options, env: spawnEnv({ ...env, NODE_OPTIONS: meter }) }
  const result = await (typeof command === 'string' ? shell(command, run) : spawnCli(command, run))
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
