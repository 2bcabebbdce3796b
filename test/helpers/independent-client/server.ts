import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { newFolder } from '../files.ts'

// biome-ignore lint/suspicious/noExplicitAny: what it is, is what the test finds out
export type Json = any

export interface Answer {
  status: number
  headers: Headers
  body: Json
}

export interface Server {
  request(method: string, path: string, body?: unknown, token?: string | null): Promise<Answer>
  stop(): Promise<number | null>
}

/** Starts the built server on data in memory. Neither this file nor its test imports the sources. */
export async function startServer(): Promise<Server> {
  const { RMA_TEST_EXECUTABLE: executable } = process.env
  const bin = executable ?? resolve(import.meta.dirname, '../../../bin/run.js')
  const home = newFolder()
  const argv = [bin, 'sandbox', 'start', '--port', '0', '--memory', '--returns', '300', '--json']
  const child = spawn(executable ? '/usr/bin/env' : process.execPath, argv, {
    env: { PATH: process.env.PATH ?? '', HOME: home, XDG_CACHE_HOME: join(home, 'cache') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { baseUrl, token } = await announced(child)
  return {
    async request(method, path, body, given = token) {
      const response = await fetch(baseUrl + path, {
        method,
        headers: {
          ...(given === null ? {} : { Authorization: `Bearer ${given}` }),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: text && JSON.parse(text) }
    },
    async stop() {
      child.kill('SIGTERM')
      const [code] = await once(child, 'exit')
      return code
    },
  }
}

/** Waits until the server listens, and reads its output. */
function announced(child: ChildProcess): Promise<{ baseUrl: string; token: string }> {
  return new Promise((resolve, reject) => {
    let [stdout, stderr] = ['', '']
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      stderr += text
    })
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      stdout += text
      try {
        resolve(JSON.parse(stdout))
      } catch {
        // The output is incomplete so far.
      }
    })
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}: ${stderr}`)))
  })
}
