import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Home } from './command-line.ts'
import type { LabelService } from './label-service.ts'

/** Folder of locks of a run with this environment. */
export function lockDir(env: Home): string {
  return env.RMA_LOCK_DIR ?? join(env.RMA_DATA_DIR, 'locks')
}

/** Files of purchases without a known outcome. */
export function openPurchases(env: Home): string[] {
  return readdirSync(lockDir(env)).filter((name) => name.endsWith('.intent'))
}

/** Sets the time of all open purchases back by some seconds. */
export function agePurchases(env: Home, seconds: number): void {
  for (const name of openPurchases(env)) {
    const path = join(lockDir(env), name)
    const [first = '', ...rest] = readFileSync(path, 'utf8').split('\n')
    // A kill may leave an unfinished line, written before the request is sent.
    if (!first.endsWith('}')) continue
    const intent = JSON.parse(first) as { at: number }
    const aged = { ...intent, at: intent.at - seconds * 1000 }
    writeFileSync(path, [JSON.stringify(aged), ...rest].join('\n'))
  }
}

/** Sends the signals, 300 ms apart, once the service has received this number of label requests. */
export function signalAfterPosts(
  service: Pick<LabelService, 'posts'>,
  posts: number,
  ...signals: NodeJS.Signals[]
) {
  return (child: ChildProcess) => {
    const timer = setInterval(() => {
      if (service.posts().length < posts) return
      clearInterval(timer)
      for (const [index, signal] of signals.entries()) setTimeout(() => child.kill(signal), index * 300)
    }, 10)
    child.once('exit', () => clearInterval(timer))
  }
}
