// Fuzzes one target for some time. tools/fuzz.mjs bundles and starts this program.
import { createHash } from 'node:crypto'
import { openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { changedInputs, MAX_BYTES } from './inputs.ts'
import { play, withoutValues } from './play.ts'
import { readFilesInPlace } from './sync-files.ts'
import { TARGETS } from './targets.ts'

// A fault is identified by one position, and most cases make errors.
Error.stackTraceLimit = 1

const RUNS = 1000
/** Limit on the corpus of a target with many outcomes. */
const MAX_CORPUS = 2000

const {
  name,
  seed,
  batch: firstBatch,
  ms,
  corpus: folder,
  current,
  known,
} = JSON.parse(process.argv[2] ?? '')
const end = Date.now() + ms
readFilesInPlace()
const target = await TARGETS[name as keyof typeof TARGETS]()
const corpus: Buffer[] = []
const outcomes = new Set<string>()
const faults = new Set<string>(known)
const currentFile = openSync(current, 'w')

/** Plays an input, saved on the disk for the case that it ends or blocks the process. True for a new outcome. */
async function isNew(bytes: Buffer): Promise<boolean> {
  writeSync(currentFile, bytes.toString('base64').padEnd(8192), 0)
  try {
    return outcomes.size < outcomes.add(await play(target, bytes)).size
  } catch (error) {
    if (!faults.has(faultOf(error))) throw error
    return false
  }
}

async function tryInput(bytes: Buffer): Promise<void> {
  if (!(await isNew(bytes)) || corpus.length > MAX_CORPUS) return
  corpus.push(bytes)
  writeFileSync(join(folder, createHash('sha1').update(bytes).digest('hex')), bytes)
}

/** Message and position, which identify a fault. */
function faultOf(error: unknown): string {
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  return `${withoutValues(message.split('\n')[0] ?? '')} ${/ at (\S+)/.exec(stack)?.[1]}`
}

function report(cases: number, error: unknown, bytes: Buffer): void {
  const fault = faultOf(error)
  faults.add(fault)
  process.send?.({ batch, cases, fault, input: bytes.toString('base64') })
}

let batch: number = firstBatch
for (const file of readdirSync(folder).sort()) {
  const bytes = readFileSync(join(folder, file))
  // A change of the beginning of a longer example is seldom a new case.
  if (bytes.length <= MAX_BYTES) corpus.push(bytes)
  await isNew(bytes).catch((error) => report(0, error, bytes))
}
const changed = changedInputs(corpus)
const inputs = target.inputs ? fc.oneof(changed, await target.inputs()) : changed
for (; Date.now() < end; batch += 1) {
  const { failed, numRuns, counterexample, errorInstance } = await fc.check(
    fc.asyncProperty(inputs, tryInput),
    { seed: seed * 1_000_003 + batch, numRuns: RUNS, interruptAfterTimeLimit: Math.max(1, end - Date.now()) },
  )
  if (failed && counterexample) report(numRuns, errorInstance, counterexample[0])
  else process.send?.({ batch, cases: numRuns })
}
process.exit()
