import { once } from 'node:events'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import { readShipped, shippedPath } from '../files/shipped.ts'

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

/** Each takes 80 MB and more: a third one would pass 400 MiB with large labels. */
const MAX_THREADS = 2
/** A label of 600 dpi has twice as many, and takes 34 MB some times over: one thread draws such. */
const MANY_DOTS = 4_000_000

/** The renderer's words for a text without a label. */
const DRAWS_NOTHING = 'no labels parsed'

/** A text rather than a file, as the program is bundled. */
const PROGRAM = `
  const { parentPort, workerData: { file, wasm, compiled } } = require('node:worker_threads')
  const { compile, instantiate } = WebAssembly
  let own
  WebAssembly.instantiate = async (carried, imports) =>
    instantiate(compiled ?? (own = await compile(wasm ?? carried)), imports)
  const { ready } = require(file)
  parentPort.on('message', async (args) => {
    try {
      const { api } = await ready
      parentPort.postMessage({ images: await api.zplToBase64MultipleAsync(...args), compiled: own })
    } catch (error) {
      parentPort.postMessage({ problem: error instanceof Error ? error.message : String(error) })
    }
  })`

interface Answer {
  images?: string[]
  problem?: string
  /** The renderer, where the thread had to compile it. */
  compiled?: object
}

/** What threads load: once one has compiled it, later ones of this process take that, for 0.6 s of CPU less. */
let renderer: Renderer | undefined

/** Threads for one run, which start when they are needed. */
export function openZplThreads(): ZplThreads {
  const threads: Worker[] = []
  const idle: Worker[] = []
  const limit = pLimit(MAX_THREADS)
  const single = pLimit(1)
  const start = () => {
    renderer ??= findRenderer()
    const thread = new Worker(PROGRAM, { eval: true, workerData: renderer })
    threads.push(thread)
    return thread
  }
  const ask = async (zpl: string, canvas: ZplCanvas, isSecond = false): Promise<Buffer[]> => {
    const { widthMm, heightMm, dotsPerMm } = canvas
    const thread = (isSecond ? undefined : idle.pop()) ?? start()
    thread.postMessage([zpl, widthMm, heightMm, dotsPerMm])
    const [answer]: Answer[] = await once(thread, 'message')
    if (answer?.compiled && renderer) renderer = { file: renderer.file, compiled: answer.compiled }
    if (answer?.images !== undefined) {
      idle.push(thread)
      return answer.images.map((image) => Buffer.from(image, 'base64'))
    }
    // Settings or stored formats alone.
    if (answer?.problem?.includes(DRAWS_NOTHING)) {
      idle.push(thread)
      return []
    }
    // The renderer may have ended, and not the text be wrong: a fresh one can tell.
    await thread.terminate()
    if (isSecond) throw new Error(answer?.problem)
    return ask(zpl, canvas, true)
  }
  return {
    draw(zpl, canvas) {
      const dots = canvas.widthMm * canvas.heightMm * canvas.dotsPerMm ** 2
      const draw = () => limit(ask, zpl, canvas)
      return dots < MANY_DOTS ? draw() : single(draw)
    },
    async close() {
      single.clearQueue()
      limit.clearQueue()
      await Promise.all(threads.map((thread) => thread.terminate()))
    },
  }
}

interface Renderer {
  file: string
  /** Its module, before a thread has compiled it; undefined where the file carries it. */
  wasm?: Buffer | undefined
  compiled?: object
}

/** `zpl-renderer-js`, which draws offline. */
function findRenderer(): Renderer {
  const wasm = readShipped('zpl-renderer.wasm')
  if (wasm) return { file: shippedPath('zpl-renderer.js'), wasm }
  return { file: createRequire(import.meta.url).resolve('zpl-renderer-js'), wasm }
}

export const ZPL_PRINTER_HINT = 'send it to a ZPL printer as it is: --printer HOST'
