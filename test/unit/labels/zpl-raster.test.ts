import { expect, it } from 'vitest'
import { rasterizeZpl } from '../../../src/lib/labels/zpl-raster.ts'

const LABEL = '^XA^PW200^LL100^FO10,10^FDtest^FS^XZ\n'

/** What the renderer is given, one text a call. */
async function callsFor(zpl: string): Promise<string[]> {
  const calls: string[] = []
  const draw = async (text: string) => {
    calls.push(text)
    return text.match(/\^XA/g)?.map(() => Buffer.of()) ?? []
  }
  const { images } = await rasterizeZpl('x', Buffer.from(zpl), { draw, outline: () => undefined })
  expect(images).toHaveLength(zpl.split('^XA').length - 1)
  return calls
}

it('draws many labels a few at a time: their time does not grow with their number', async () => {
  const calls = await callsFor(LABEL.repeat(5000))
  expect(calls).toHaveLength(250)
  expect(calls.join('').match(/\^FDtest/g)).toHaveLength(5000)
})

it('draws fewer large labels at a time, as the renderer keeps all of a call in memory', async () => {
  expect(await callsFor('^XA^PW799^LL1199^FO1,1^FDx^FS^XZ'.repeat(9))).toHaveLength(3)
})

it.each([
  ['a stored format', `^XA^DFR:A.ZPL^FO1,1^FN1^FS^XZ${LABEL}`],
  ['a graphic', `~DGR:A.GRF,8,1,FF${LABEL}${LABEL}`],
])('but leaves together what depends on a label before: %s', async (_name, zpl) => {
  expect(await callsFor(zpl)).toEqual([zpl])
})

it('takes no notice of signs that are named as they are anyway', async () => {
  const calls = await callsFor(`CT~~CD,~CC^~CT~\n${LABEL}`.repeat(41))
  expect(calls).toHaveLength(3)
  expect(calls.join('').match(/\^FDtest/g)).toHaveLength(41)
  expect(calls.join('')).not.toMatch(/CT~|CD,|CC\^/)
})

it('gives each label the settings of those before it', async () => {
  const zpl = '^XA^CI28^BY2,3,80^XZ^XA^BY3^FD1^FS^XZ^XA^BY4,2,90^FD2^FS^XZ^XA^FD3^FS^XZ'
  expect((await callsFor(zpl)).join('').split(/(?<=\^XZ)/)).toEqual([
    '^XA^CI28^BY2,3,80^XZ',
    '^XA^CI28^BY2,3,80^BY3^FD1^FS^XZ',
    '^XA^CI28^BY2,3,80^BY3^BY4,2,90^FD2^FS^XZ',
    '^XA^CI28^BY4,2,90^FD3^FS^XZ',
  ])
})
