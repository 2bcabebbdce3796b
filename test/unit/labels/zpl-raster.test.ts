import { afterAll, describe, expect, it } from 'vitest'
import { independentLabels } from '../../../src/lib/labels/zpl-labels.ts'
import { rasterizeZpl } from '../../../src/lib/labels/zpl-raster.ts'
import { openZplThreads } from '../../../src/lib/labels/zpl-threads.ts'

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
  ['a stored image', `^XA^FO1,1^GB9,9^FS^ISR:A.GRF,N^XZ^XA^ILR:A.GRF^XZ`],
  ['another sign for commands', `${LABEL}^XA^CC!!FO1,1!FDx!FS!XZ`],
])('but leaves together what depends on a label before: %s', async (_name, zpl) => {
  expect(await callsFor(zpl)).toEqual([zpl])
})

it('refuses more of those than can be drawn at once', async () => {
  const zpl = '^XA^PW800^LL1200^FO1,1^GB9,9^FS^ISR:A.GRF,N^XZ'.repeat(42)
  await expect(callsFor(zpl)).rejects.toMatchObject({
    kind: 'contract',
    message: expect.stringContaining('its 42 labels build on one another'),
  })
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

describe('what labels recall of those before', () => {
  const threads = openZplThreads()
  afterAll(threads.close)
  const canvas = { widthMm: 25, heightMm: 13, dotsPerMm: 8 }
  const size = '^PW200^LL104'
  const graphic = (name: string, byte: string) => `~DG${name},8,1,${byte.repeat(8)}\n`
  const format = (name: string) => `^XA^DF${name}^FO9,9^A0N,20^FN1^FS^FO9,40^GB50,9,2^FS^XZ\n`
  const recalls = (name: string, text: string) => `^XA${size}^XF${name}^FN1^FD${text}^FS^XZ\n`
  const shows = (name: string) => `^XA${size}^FO9,9^XG${name},5,5^FS^XZ\n`

  it.each([
    [
      'formats, one of them made anew, in between settings',
      `${format('R:A.ZPL')}${recalls('R:A.ZPL', 'one')}^XA${size}^BY3^CFB,20^FO9,9^FDtwo^FS^XZ${recalls('R:A.ZPL', 'three')}` +
        `^XA^DFR:A.ZPL^FO40,40^FN1^FS^XZ${recalls('R:A.ZPL', 'four')}`,
      4,
    ],
    [
      'a graphic before each label that shows it, and after them labels that delete it',
      `${graphic('R:A.GRF', 'FF')}${shows('R:A.GRF')}${graphic('R:A.GRF', 'AA')}${shows('R:A.GRF')}^XA^IDR:A.GRF^FS^XZ\n`,
      2,
    ],
    [
      'a graphic in a format',
      `${graphic('R:L.GRF', 'F0')}^XA^DFR:F.ZPL^FO9,9^XGR:L.GRF,5,5^FS^FO9,60^A0N,20^FN1^FS^XZ${recalls('R:F.ZPL', 'x')}`,
      1,
    ],
  ])('%s: each alone is what all in one call are', async (_name, zpl, count) => {
    const alone = (independentLabels(zpl) ?? []).map((label) => threads.draw(label, canvas))
    const together = (await threads.draw(zpl, canvas)).map(String)
    expect((await Promise.all(alone)).flat().map(String)).toEqual(together)
    expect(new Set(together).size).toBe(count)
  })

  it('labels without what designers’ programs send first, which draws nothing', async () => {
    const first = 'CT~~CD,~CC^~CT~^XA~TA000~JSN^LT0^MNW^MTT^PON^PMN^LH0,0^JMA^PR4,4~SD15^JUS^LRN^CI0^XZ\n'
    const zpl = Buffer.from(`${first}${LABEL}${first}${LABEL}^XA^IDR:A.GRF^FS^XZ~JA\n`)
    const { images } = await rasterizeZpl('x', zpl, { draw: threads.draw, outline: () => undefined })
    expect(images).toHaveLength(2)
  })
})
