import { expect, it } from 'vitest'
import { lineCapturer } from '../../../src/lib/cli/captured-lines.ts'
import type { Io } from '../../../src/lib/cli/process-io.ts'

it('the last line of each message is passed on at once, and split characters are joined', async () => {
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
