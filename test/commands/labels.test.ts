import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer as createHttpsServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { asTyped, ended, errorOf, expectEnd, jsonOf, jwt, succeeded, typed } from '../helpers/command-line.ts'
import { expectPrivate, jsonFile, newFile, newFolder } from '../helpers/files.ts'
import {
  filesOf,
  label,
  labelRequest,
  labelReturn,
  labelService,
  PDF,
  PNG,
  ZPL,
} from '../helpers/label-service.ts'
import { caFile, leafTls } from '../helpers/leaf-tls.ts'
import { homeAt, runCli, runIn } from '../helpers/run-cli.ts'
import { listening, scriptServer } from '../helpers/script-server.ts'
import { times, valuesOf } from '../helpers/values-of.ts'
import '../../src/commands/labels/create.ts'
import '../../src/commands/labels/download.ts'
import '../../src/commands/labels/get.ts'
import '../../src/commands/labels/verify.ts'
import '../../src/commands/returns/get.ts'

const set = (id: string, ...shippingLabels: object[]) => ({ clientShipmentId: id, shippingLabels })
const outcomes = (result: { stdout: string }) => valuesOf(filesOf(result), 'outcome')

async function serviceWith(sets: Record<string, object[]>) {
  const service = await labelService()
  for (const [id, labels] of Object.entries(sets)) service.made.set(id, [set(id, ...labels)])
  return service
}

describe('labels download', () => {
  it('labels download lists only the newest set of a shipment, which may have fewer parcels', async () => {
    const { made, run } = await labelService()
    const out = newFolder()
    const set = (...codes: string[]) => ({ shippingLabels: codes.map((code) => label(PDF, code)) })
    const sets = [set('A', 'B', 'C')]
    made.set('SHP-1', sets)
    const argv = typed`labels download SHP-1 --out ${out} --force --json`
    expect(jsonOf(succeeded(await run(argv))).files).toHaveLength(3)
    sets.push(set('D'))
    expect(jsonOf(succeeded(await run(argv))).files).toHaveLength(1)
    const { labels } = jsonFile(join(out, 'manifest.json'))
    expect(valuesOf(labels, 'carrierTrackingCode')).toEqual(['D'])
  })

  it('labels download saves, skips, repairs and names missing labels', async () => {
    const { run, requests } = await serviceWith({ A1: [label(PDF)], A2: [label(ZPL)] })
    const out = newFolder()
    const argv = typed`labels download A1 A2 NONE --out ${out} --json`
    const first = ended(await run(argv), 5)
    expect(outcomes(first)).toEqual(['saved', 'saved'])
    expect(jsonOf(first).failed).toMatchObject([{ clientShipmentId: 'NONE', kind: 'not-found' }])
    expect(readdirSync(out).sort()).toEqual(['A1.pdf', 'A2.zpl', 'manifest.json'])
    const before = requests.length
    expect(outcomes(await run(argv))).toEqual(['present', 'present'])
    // The label, and what return the text may name: its id, order or name.
    expect(requests.length - before).toBe(4)
    rmSync(join(out, 'A1.pdf'))
    writeFileSync(join(out, 'A2.zpl'), 'changed')
    const again = await run`${argv} --force`
    expect(outcomes(again)).toEqual(['saved', 'saved'])
    expect(readFileSync(join(out, 'A2.zpl'))).toEqual(ZPL)
  })

  it.each([
    ['lines', 'A1\n\nA2\nA1\n'],
    ['CSV', '\r\norder, clientShipmentId\r\n7, "A1"\r\n8,"A2",x\r\n'],
    ['semicolons and a quoted comma', '"my, note";clientShipmentId\n"a, b";A1\nc;A2\n'],
    ['semicolons and a mark', '\ufeffclient_shipment_id;x\nA1;1\nA2;2\n'],
  ])('labels download reads ids from standard input: %s', async (_name, stdin) => {
    const service = await serviceWith({ A1: [label(PDF)], A2: [label(PDF)] })
    const argv = typed`labels download --file - --out ${newFolder()} --json`
    const files = filesOf(await service.run(argv, { stdin }))
    expect(valuesOf(files, 'clientShipmentId')).toEqual(['A1', 'A2'])
  })

  it.each([
    ['a workbook', 'PK\u0003\u0004\nA1\n', 'line 1 holds the control character U+0003'],
    ['UTF-16', 'A1\nA\x002\0', 'line 2 holds the control character U+0000'],
    ['no UTF-8', Buffer.from('A1\nSeñal\n', 'latin1'), 'line 2 is not UTF-8'],
  ])('%s instead of ids: exit 2, file and line are named, nothing is asked', async (_name, content, why) => {
    const service = await serviceWith({})
    const path = newFile('ids.txt', content)
    for (const argv of [
      typed`labels download --file ${path}`,
      ['labels', 'get', '-'],
      ['returns', 'get', '-'],
    ]) {
      const isFile = argv.includes(path)
      const { stderr } = ended(await service.run(argv, isFile ? {} : { stdin: readFileSync(path) }), 2)
      const source = isFile ? path : 'The standard input'
      expect(stderr).toEqual(expect.stringContaining(`${source} is not a list of ids: ${why}.\nTry: `))
    }
    expect(service.requests).toEqual([])
  })

  it.each([
    ['no column', 'order,name\n7,x\n', 'no column clientShipmentId'],
    ['a rounded number', '4.2E+12\n', 'spreadsheet'],
    ['nothing', '\n', 'No shipment was named'],
  ])('%s: exit 2', async (_name, stdin, message) => {
    const service = await labelService()
    expectEnd(await service.run(typed`labels download --file -`, { stdin }), 2, [message])
    expect(service.requests).toEqual([])
  })

  it.each([typed`labels download --file`, typed`labels create --from`])(
    '%s %s %s of a folder is a clear usage error',
    async (...argv) => {
      expectEnd(
        await (await labelService()).run(typed`${argv} ${tmpdir()}`),
        2,
        `Error: ${tmpdir()} can't be read: it is a folder.\n`,
      )
    },
  )

  it('shipments of two shops of one token with the same id are kept apart, and its own label is not', async () => {
    const service = await labelService({
      labelsOf: (request) => [label(request.shopCode === 'A' ? PDF : ZPL)],
    })
    const env = homeAt(service.baseUrl, { RMA_TOKEN: jwt({ shops: ['A', 'B'] }) })
    const out = newFolder()
    const create = (shopCode: string, ...more: string[]) => {
      const stdin = JSON.stringify({ ...labelRequest('1001'), shopCode })
      return runCli(typed`labels create --from - --json --out ${out} ${more}`, { env, stdin })
    }
    succeeded(await create('A'))
    expect(errorOf(ended(await create('B', '--another', '--force'), 2)).message).toContain('of another shop')
    expect(service.posts()).toHaveLength(1)
    succeeded(await create('A', '--another', '--force', '--shop', 'A'))
    succeeded(
      await runCli(typed`labels create --from - --json --another --force --out ${out}`, {
        env,
        stdin: JSON.stringify(labelRequest('1001')),
      }),
    )
  })

  it('a shipment of another shop with the same id is not taken for one that is saved: exit 2', async () => {
    const [harrow, fjord] = [Buffer.concat([PDF, Buffer.from('H')]), Buffer.concat([PDF, Buffer.from('F')])]
    const server = await scriptServer(({ query }) => {
      const isFjord = query.get('shopCode') === 'FJORD-SE'
      return { body: [set('1001', isFjord ? label(fjord, 'TRK-F') : label(harrow, 'TRK-H'))] }
    })
    const env = homeAt(server.baseUrl)
    const out = newFolder()
    const download = asTyped((argv) => runIn(env)`labels download 1001 --json --out ${argv}`)
    succeeded(await download`${out} --shop HARROW-UK`)
    const other = errorOf(ended(await download`${out} --shop FJORD-SE`, 2))
    const path = join(out, '1001.pdf')
    expect(other).toMatchObject({
      message: `The label of 1001 is not saved: ${path} is there with other content.`,
      hints: ['--force replaces the file', 'or choose another place with --out'],
    })
    const again = succeeded(await download`${out} --shop HARROW-UK`)
    expect(filesOf(again)).toMatchObject([{ outcome: 'present', carrierTrackingCode: 'TRK-H' }])
    expect(readFileSync(path)).toEqual(harrow)
    const apart = succeeded(await download`${newFolder()} --shop FJORD-SE`)
    expect(filesOf(apart)).toMatchObject([{ outcome: 'saved', carrierTrackingCode: 'TRK-F' }])
  })

  it.each([
    ['of another format', [label(ZPL)]],
    ['of several parcels', [label(PDF), label(PDF)]],
    ['behind a URL', [{ url: '/label.zpl' }]],
  ])(
    'a label %s of another shop with the same id is not saved in one folder: exit 2',
    async (_name, labels) => {
      const { baseUrl, requests } = await scriptServer(({ path, query }) => {
        if (path === '/label.zpl') return { body: ZPL }
        const ofFjord = labels.map((one) => ('url' in one ? { url: baseUrl + one.url } : one))
        return { body: [set('1001', ...(query.get('shopCode') === 'FJORD-SE' ? ofFjord : [label(PDF)]))] }
      })
      const env = homeAt(baseUrl)
      const out = newFolder()
      const folder = () => [readdirSync(out).sort(), readFileSync(join(out, 'manifest.json'), 'utf8')]
      const argv = typed`--out ${out} --force --json`
      succeeded(await runIn(env)`labels download 1001 --shop HARROW-UK ${argv}`)
      const saved = folder()
      const message = `${out} lists 1001 as a shipment of another shop or platform: no label of this one is saved there.`
      const download = await runIn(env)`labels download 1001 --shop FJORD-SE ${argv}`
      const hints = ['choose another place with --out']
      expect(errorOf(ended(download, 2))).toMatchObject({ message, hints })
      const stdin = JSON.stringify(labelRequest('1001'))
      const create = await runCli(typed`labels create --from - --another --shop FJORD-SE ${argv}`, {
        env,
        stdin,
      })
      expect(errorOf(ended(create, 2)).message).toBe(message)
      expect(requests.filter(({ method }) => method === 'POST')).toEqual([])
      expect(folder()).toEqual(saved)
    },
  )

  it('a label of another platform with the same id is requested, and kept if it is equal', async () => {
    const [one, other] = [await serviceWith({ A1: [label(PDF)] }), await serviceWith({ A1: [label(PDF)] })]
    const argv = typed`labels download A1 --json --out ${newFolder()}`
    expect(outcomes(succeeded(await one.run(argv)))).toEqual(['saved'])
    expect(outcomes(succeeded(await other.run(argv)))).toEqual(['unchanged'])
    expect(outcomes(succeeded(await other.run(argv)))).toEqual(['present'])
    expect([one, other].map(({ requests }) => requests.length)).toEqual([1, 1])
  })

  it.each(['one.pdf', '-'])(
    'an order with labels of two returns does not fit --out %s: exit 2',
    async (place) => {
      const { made, run } = await labelService({
        returns: [labelReturn('R#-10482'), labelReturn('R#-10482-2')],
      })
      for (const id of ['R#-10482-T1', 'R#-10482-2-T1']) made.set(id, [set(id, label(PDF))])
      const out = place === '-' ? place : join(newFolder(), place)
      const refused = await run`labels download 10482 --out ${out} --force`
      const message = `Error: --out ${out} holds one shipment's label, and 10482 names 2.\nTry: --out FOLDER\n`
      expect(expectEnd(refused, 2, message).stdout).toBe('')
      expect(existsSync(out)).toBe(false)
      const folder = newFolder()
      succeeded(await run`labels download 10482 --out ${folder}`)
      expect(readdirSync(folder).sort()).toEqual(['R-10482-2.pdf', 'R-10482.pdf', 'manifest.json'])
    },
  )

  it('labels download leaves no empty folder, fails first if none can be made, and saves one label in a new one', async () => {
    const { run, requests } = await serviceWith({ A1: [label(PDF)] })
    const above = newFolder()
    const download = asTyped((argv) => run`labels download ${argv}`)
    ended(await download`NONE NEITHER --out ${join(above, 'new', 'labels')}`, 5)
    expect(readdirSync(above)).toEqual([])
    writeFileSync(join(above, 'file'), '')
    const before = requests.length
    for (const place of ['file/labels', `new/${'x'.repeat(300)}`]) {
      expectEnd(await download`A1 --out ${join(above, place)}`, 2, ["The folder for labels can't be made"])
    }
    expect([readdirSync(above), requests.length]).toEqual([['file'], before])
    succeeded(await download`A1 --out ${join(above, 'new', 'labels')}`)
    expect(readdirSync(join(above, 'new', 'labels')).sort()).toEqual(['A1.pdf', 'manifest.json'])
    const { stderr } = await run`labels verify ${join(above, 'new', 'labels')}`
    expect(stderr).toBe('The label is what was saved\n')
  })

  it('--concurrency limits all requests, including those to label URLs', async () => {
    let now = 0
    const most = { looks: 0, files: 0 }
    const count = async (what: keyof typeof most) => {
      now += 1
      most[what] = Math.max(most[what], now)
      // Long enough that all that may come at once do.
      await delay(20)
      now -= 1
    }
    const ids = times(24, (index) => `A${index}`)
    let baseUrl = ''
    const server = await scriptServer(async ({ path, query }) => {
      if (path === '/file') {
        await count('files')
        return { body: PDF }
      }
      await count('looks')
      const id = query.get('client_shipment_id') ?? ''
      const content = Number(id.slice(1)) < 12 ? label(PDF) : { url: `${baseUrl}/file` }
      return { body: [set(id, content)] }
    })
    baseUrl = server.baseUrl
    const env = homeAt(server.baseUrl)
    const argv = typed`labels download ${ids} --concurrency 3 --out ${newFolder()} -q`
    succeeded(await runCli(argv, { env }))
    expect(most).toEqual({ looks: 3, files: 3 })
  })

  it('behind a URL: without the token, redirects followed, no other protocol', async () => {
    const files = await scriptServer(
      (request) =>
        request.path === '/moved' ? { status: 302, headers: { location: '/label' } } : { body: PNG },
      { tls: leafTls },
    )
    const { run } = await serviceWith({
      A1: [{ url: `${files.baseUrl}/moved` }],
      A2: [{ url: 'file:///etc/passwd' }],
    })
    const out = newFolder()
    const argv = typed`labels download A1 A2 --out ${out} --json --ca-file ${caFile}`
    const refused = await run(argv)
    expect(refused.stderr).toMatch(/--label-host 127\.0\.0\.1.*label of A1.*its own network/)
    expect(files.requests).toEqual([])
    const saved = await run`${argv} --label-host 127.0.0.1:${files.port}`
    expect(filesOf(saved)).toMatchObject([{ clientShipmentId: 'A1', source: 'url', format: 'PNG' }])
    expect(readFileSync(join(out, 'A1.png'))).toEqual(PNG)
    expectPrivate(join(out, 'A1.png'), join(out, 'manifest.json'))
    expect(saved.stderr).toMatch("label of A2 can't be fetched")
    expect(files.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined])
  })

  it('behind a URL that announces 2 GB, or never ends: stopped at the cap, named, nothing left', {
    timeout: 60_000,
  }, async () => {
    const piece = Buffer.alloc(1 << 20, '%PDF-1.4 ')
    let sentBytes = 0
    const endless = createHttpsServer(leafTls, (request, response) => {
      if (request.url === '/announced') response.setHeader('content-length', 2 ** 31)
      // Far beyond the cap, but bounded, should the cap fail.
      const pieces = Readable.from(times(400, () => piece))
      pieces.on('data', () => {
        sentBytes += piece.length
      })
      // It would go on by itself, to nobody, and be counted.
      response.on('close', () => pieces.destroy())
      pieces.pipe(response)
    })
    const port = await listening(endless)
    onTestFinished(() => {
      endless.closeAllConnections()
      endless.close()
    })
    const service = await serviceWith({
      A1: [{ url: `https://127.0.0.1:${port}/announced` }],
      A2: [{ url: `https://127.0.0.1:${port}/silent` }],
    })
    const out = newFolder()
    const trust = typed`--ca-file ${caFile} --label-host 127.0.0.1`
    const { code, stderr } = await service.run`labels download A1 A2 --out ${out} ${trust}`
    expect(code).not.toBe(0)
    expect(stderr).toMatch(/label of A1.*256 MiB/)
    expect(stderr).toMatch(/label of A2.*256 MiB/)
    expect(readdirSync(out)).toEqual([])
    expect(sentBytes).toBeLessThan(290 * (1 << 20))
  })

  it('Ctrl-C is exit 130 with all saved labels in the manifest and no partial file', async () => {
    const interrupt = new AbortController()
    const { run } = await labelService({
      look: (index) => (index < 2 ? { body: [set(`A${index + 1}`, label(PDF))] } : { fault: 'hang' }),
    })
    const out = newFolder()
    const argv = typed`labels download A1 A2 A3 --out ${out} --concurrency 1 -o ndjson`
    const running = run(argv, {
      interrupt: interrupt.signal,
      onOutput: (text) => text.split('\n').length > 2 && interrupt.abort(),
    })
    expect(errorOf(ended(await running, 130))).toEqual({
      kind: 'interrupted',
      exitCode: 130,
      message: 'Interrupted; 1 of 3 shipments remains.',
      hints: ['run the same command again: what is saved already is kept'],
    })
    expect(readdirSync(out).sort()).toEqual(['A1.pdf', 'A2.pdf', 'manifest.json'])
    const verified = await run`labels verify ${out}`
    expectEnd(verified, 0, 'All 2 labels are what was saved\n')
  })

  it('Ctrl-C names a label that was being saved, and no others', async () => {
    const interrupt = new AbortController()
    const silent = await scriptServer(
      () => {
        interrupt.abort()
        return { fault: 'hang' }
      },
      { tls: leafTls },
    )
    const service = await scriptServer(({ query }) => {
      const isLink = query.get('client_shipment_id') === 'A2'
      return isLink ? { body: [set('A2', { url: `${silent.baseUrl}/label` })] } : { fault: 'hang' }
    })
    const trust = typed`--ca-file ${caFile} --label-host 127.0.0.1`
    const argv = typed`labels download A1 A2 A3 --out ${newFolder()} --json ${trust}`
    const env = homeAt(service.baseUrl)
    expect(errorOf(ended(await runCli(argv, { env, interrupt: interrupt.signal }), 130))).toMatchObject({
      message: 'Interrupted; 3 of 3 shipments remain.',
      errors: [{ path: 'A2', message: 'Interrupted: the label of A2 is not saved.' }],
    })
  })
})

it('labels get prints the list as sent; several are joined, and missing ones named', async () => {
  const { run, made } = await serviceWith({ A1: [label(PDF)], A2: [label(PDF), label(ZPL)] })
  const one = await run`labels get A1 --json`
  expect(jsonOf(one)).toEqual(made.get('A1'))
  const many = ended(await run`labels get A1 NONE A2 --json`, 5)
  expect(jsonOf(many)).toHaveLength(2)
  expect((await run`labels get A2`).stdout).toMatch(/A2.*TRK-1, TRK-1/)
})

it.each([
  [{ body: { labels: [] } }, 'an object'],
  [{ status: 204 }, 'nothing'],
])('labels get is exit 8 where the answer has another shape: %j', async (answer, found) => {
  const service = await labelService({ look: () => answer })
  expectEnd(await service.run`labels get A1`, 8, [`expected a list, found ${found} (HTTP`])
})

it('labels verify is 0 while all labels are as saved, else 9 with the differences', async () => {
  const { run } = await serviceWith({
    A1: [label(PDF)],
    A2: [label(ZPL)],
    A3: [label(PNG)],
    A4: [label(PDF)],
  })
  const out = newFolder()
  await run`labels download A1 A2 A3 A4 --out ${out}`
  succeeded(await run`labels verify ${out}`)
  rmSync(join(out, 'A1.pdf'))
  writeFileSync(join(out, 'A2.zpl'), 'x')
  writeFileSync(join(out, 'A3.png'), Buffer.alloc(PNG.length))
  for (const name of ['.hidden', 'other.pdf']) writeFileSync(join(out, name), '')
  const { labels, unlisted } = jsonOf(ended(await run`labels verify ${out} --json`, 9))
  const problems = labels.map(({ clientShipmentId, state, problem }: Record<string, string>) =>
    [clientShipmentId, state, problem].join(' '),
  )
  // The manifest lists labels in the order in which they were saved.
  expect(problems.sort()).toEqual([
    'A1 missing there is no such file',
    `A2 changed 1 byte instead of ${ZPL.length}`,
    'A3 changed other content of the same size',
    'A4 ok ',
  ])
  expect(unlisted).toEqual(['other.pdf'])
})

it('labels verify tells for each shop how its labels are fetched again, and how many more there are', async () => {
  const server = await scriptServer(({ query }) => ({
    body: [set(query.get('client_shipment_id') ?? '', label(PDF))],
  }))
  const env = homeAt(server.baseUrl)
  const out = newFolder()
  const many = times(12, (index) => `A${index}`)
  for (const argv of [typed`${many} --shop A`, typed`B1 --shop B`, typed`C1`])
    succeeded(await runIn(env)`labels download ${argv} --out ${out}`)
  for (const name of [...many, 'B1', 'C1']) rmSync(join(out, `${name}.pdf`))
  const again = (ids: string) => `rma labels download ${ids} --out ${out} --force`
  expect(errorOf(ended(await runIn(env)`labels verify ${out} --json`, 9)).hints).toEqual([
    expect.stringMatching(`^fetch them again .10 of 12.: ${again('(A\\d+ ?){10}')} --shop A$`),
    `fetch them again: ${again('B1')} --shop B`,
    `fetch them again: ${again('C1')}`,
  ])
})

it.each([
  ['a file', (path: string) => writeFileSync(path, '')],
  ['a link to nothing', (path: string) => symlinkSync('nowhere', path)],
  ['a device', (path: string) => symlinkSync('/dev/zero', path)],
])('--out of labels that is %s is said to be no folder: exit 2', async (_name, make) => {
  const service = await serviceWith({ A1: [label(PDF)] })
  const out = join(newFolder(), 'out')
  make(out)
  const refused = await service.run`labels download A1 --out ${out}`
  expectEnd(refused, 2, [`The folder for labels can't be made at ${out}: it is not a folder (EEXIST).`])
})

it('a folder without a manifest: exit 2', async () => {
  ended(await (await labelService()).run(typed`labels verify ${newFolder()}`), 2)
  const none = await (await labelService()).run(typed`labels verify ${join(newFolder(), 'none')}`)
  expectEnd(none, 2, ['there is no such folder (ENOENT)'])
  expect(none.stderr).not.toContain('--out')
})
