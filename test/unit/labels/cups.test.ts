import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, it } from 'vitest'
import { printOnQueue } from '../../../src/lib/labels/cups.ts'

it.runIf(process.platform !== 'win32')(
  'an interrupt inside lp ends it, and says that labels may be there',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rma-lp-'))
    const started = join(folder, 'started')
    writeFileSync(
      join(folder, 'lp'),
      `#!/bin/sh\necho $$ > "${started}.tmp"; mv "${started}.tmp" "${started}"; exec sleep 60\n`,
      {
        mode: 0o755,
      },
    )
    const abort = new AbortController()
    const watcher = watch(folder)
    const printed = printOnQueue(
      'office',
      { language: 'pdf', data: Buffer.from('%PDF-') },
      {
        sheet: 'a4',
        timeoutMs: 50_000,
        signal: abort.signal,
        env: { PATH: `${folder}${delimiter}${process.env.PATH}` },
      },
    )
    while (!existsSync(started)) await once(watcher, 'change')
    watcher.close()
    abort.abort()
    await expect(printed).rejects.toMatchObject({
      kind: 'interrupted',
      message: 'Interrupted: the queue may have the labels or not.',
    })
    const pid = Number(readFileSync(started, 'utf8'))
    const isGone = () => {
      try {
        process.kill(pid, 0)
        return false
      } catch {
        return true
      }
    }
    await expect.poll(isGone, { timeout: 5000 }).toBe(true)
  },
)
