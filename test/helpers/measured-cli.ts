import { join } from 'node:path'
import { expect } from 'vitest'
import { root } from './run-cli.ts'
import { type Spawned, spawnCli, spawnEnv } from './spawn-cli.ts'

export interface Measured extends Spawned {
  peakMib: number
  /** Processor time, of which a busy machine takes no more than an idle one. */
  cpuMs: number
}

/** Runs the built command, and tells what it took. */
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

/** Limits within which any input and answer is refused or handled. */
export function expectWithinLimits({ peakMib, cpuMs }: Measured): void {
  expect(peakMib).toBeLessThan(400)
  expect(cpuMs).toBeLessThan(10_000)
}
