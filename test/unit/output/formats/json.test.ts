import { LosslessNumber } from 'lossless-json'
import { expect, test } from 'vitest'
import { jsonDocument, jsonList, ndjsonLine } from '../../../../src/lib/output/formats/json.ts'

test.each(['', 'x'])('long records are written in parts that split no character (%o)', async (start) => {
  const items = [start + '😀'.repeat(2 ** 20)]
  const parts: string[] = []
  for await (const part of jsonList(items)) parts.push(Buffer.from(part).toString())
  expect(parts.length).toBeGreaterThan(2)
  expect(parts.join('') === jsonDocument(items)).toBe(true)
})

test('the rest of the envelope is asked for after the last item', async () => {
  let seen = 0
  async function* items() {
    for (; seen < 3; seen += 1) yield seen
  }
  let text = ''
  for await (const part of jsonList(items(), { key: 'items', rest: () => ({ seen }) })) text += part
  expect(JSON.parse(text)).toEqual({ items: [0, 1, 2], seen: 3 })
})

test('numbers keep their value and terminals are safe', () => {
  expect(ndjsonLine({ n: new LosslessNumber('0.10000000000000000555'), s: '\x1b\x9b\u202e' })).toBe(
    '{"n":0.10000000000000000555,"s":"\\u001b\\u009b\\u202e"}\n',
  )
})
