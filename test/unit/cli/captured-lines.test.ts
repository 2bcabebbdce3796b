import { expect, it } from 'vitest'
import { lineCapturer } from '../../../src/lib/cli/captured-lines.ts'
import type { Io } from '../../../src/lib/cli/process-io.ts'

it('passes on the last line of each message at once, and joins characters that come in parts', async () => {
  const passed: string[] = []
  const capture = lineCapturer(
    async (_line, { stdout, stderr }) => {
      for (const byte of Buffer.from('é')) stdout.write(Buffer.of(byte))
      for (const text of ['one\ntwo\n', '\n']) stderr.write(text)
      return 0
    },
    {} as Io,
    { target: '', targetFlags: [], targetEnv: {}, checkTarget() {} },
  )
  const line = await capture([], undefined, { onMessage: (text) => void passed.push(text) })
  expect([line.output, passed]).toEqual(['é', ['two']])
})
