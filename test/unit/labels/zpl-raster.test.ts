import { expect, it } from 'vitest'
import { rasterizeZpl } from '../../../src/lib/labels/zpl-raster.ts'

const LABEL = '^XA^PW200^LL100^FO10,10^FDtest^FS^XZ\n'

/** What the renderer is given, one text a call. */
async function callsFor(zpl: string): Promise<string[]> {
  const calls: string[] = []
  const { images } = await rasterizeZpl('x', Buffer.from(zpl), async (text) => {
    calls.push(text)
    return text.match(/\^XA/g)?.map(() => Buffer.of()) ?? []
  })
  expect(images).toHaveLength(zpl.split('^XA').length - 1)
  return calls
}

it('draws many labels a few at a time: their time does not grow with their number', async () => {
  const calls = await callsFor(LABEL.repeat(5000))
  expect(calls).toHaveLength(250)
  expect(calls.join('').trim()).toBe(LABEL.repeat(5000).trim())
})

it.each([
  ['a stored format', `^XA^DFR:A.ZPL^FO1,1^FN1^FS^XZ${LABEL}`],
  ['a graphic', `~DGR:A.GRF,8,1,FF${LABEL}${LABEL}`],
  ['a character set that only the first sets', `^XA^CI28^FDé^FS^XZ${LABEL}`],
])('but leaves together what depends on a label before: %s', async (_name, zpl) => {
  expect(await callsFor(zpl)).toEqual([zpl])
})
