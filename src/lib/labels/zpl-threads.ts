import { once } from 'node:events'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import { AppError } from '../errors.ts'

export interface ZplCanvas {
  widthMm: number
  heightMm: number
  dotsPerMm: number
}

/** Draws each label of a ZPL text as a PNG. Rejects with an Error in the renderer's words. */
export type DrawZpl = (zpl: string, canvas: ZplCanvas) => Promise<Buffer[]>

export interface ZplThreads {
  draw: DrawZpl
  close(): Promise<void>
}

/** Each takes 80 MB, so that a third one would pass 400 MiB. */
const MAX_THREADS = 2

/** A text rather than a file, as the program is bundled. */
const PROGRAM = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { ready } = require(workerData)
  parentPort.on('message', async (args) => {
    try {
      const { api } = await ready
      parentPort.postMessage({ images: await api.zplToBase64MultipleAsync(...args) })
    } catch (error) {
      parentPort.postMessage({ problem: error instanceof Error ? error.message : String(error) })
    }
  })`

/** Threads for one run, which start when they are needed. `draw` throws an AppError `usage` without the renderer. */
export function openZplThreads(find = findZplRenderer): ZplThreads {
  const threads: Worker[] = []
  const idle: Worker[] = []
  const limit = pLimit(MAX_THREADS)
  const start = () => {
    const thread = new Worker(PROGRAM, { eval: true, workerData: installed(find) })
    threads.push(thread)
    return thread
  }
  const ask = async (zpl: string, { widthMm, heightMm, dotsPerMm }: ZplCanvas): Promise<Buffer[]> => {
    const thread = idle.pop() ?? start()
    thread.postMessage([zpl, widthMm, heightMm, dotsPerMm])
    const [answer]: { images: string[]; problem?: string }[] = await once(thread, 'message')
    idle.push(thread)
    if (answer?.images === undefined) throw new Error(answer?.problem)
    return answer.images.map((image) => Buffer.from(image, 'base64'))
  }
  return {
    draw: (zpl, canvas) => limit(ask, zpl, canvas),
    async close() {
      limit.clearQueue()
      await Promise.all(threads.map((thread) => thread.terminate()))
    },
  }
}

/** `zpl-renderer-js`, 9 MB, which draws offline. */
function findZplRenderer(): string {
  return createRequire(import.meta.url).resolve('zpl-renderer-js')
}

function installed(find: () => string): string {
  try {
    return find()
  } catch (cause) {
    throw new AppError('usage', 'ZPL labels can only be put on a sheet with an optional package.', {
      hints: ['npm install zpl-renderer-js (beside rma: with -g if rma was installed so)', ZPL_PRINTER_HINT],
      cause,
    })
  }
}

export const ZPL_PRINTER_HINT = 'send it to a ZPL printer as it is: --printer HOST'
