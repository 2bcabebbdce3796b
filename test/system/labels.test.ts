import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BASE64_STYLES } from '../helpers/base64-styles.ts'
import { expectEnd, jsonOf, succeeded, typed } from '../helpers/command-line.ts'
import { jsonFile, newFile, newFolder } from '../helpers/files.ts'
import { usePlatform } from '../helpers/platform.ts'
import { scriptServer } from '../helpers/script-server.ts'
import { shell, spawnCli, spawnEnv, spawnEnvAt } from '../helpers/spawn-cli.ts'
import { times, valuesOf } from '../helpers/values-of.ts'

/** Labels that rma saves and prints, read by independent programs. */
const platform = usePlatform({ returns: 60 })
const env = () => spawnEnv(platform.env({ RMA_SHOP: platform.sandbox.shops()[0]?.code ?? '' }))

interface SavedFile {
  clientShipmentId: string
  path: string
  format: string
  carrierTrackingCode: string
}

async function out(script: string) {
  const { stdout } = expectEnd(await shell(script, { env: env() }, 'bash'), 0, '')
  return stdout
}

function request(id: string, carrierServiceCode: string, labelFormat: string) {
  const party = (fullName: string) => ({
    fullName,
    email: 'someone@example.com',
    phone: '+34600123456',
    address: { line1: 'Calle de Alcalá 1', city: 'Madrid', postalCode: '28014', countryCode: 'ES' },
  })
  return {
    shipmentType: 'RETURN',
    clientShipmentId: id,
    carrierServiceCode,
    labelFormat,
    origin: party('Zoë Núñez'),
    destination: party('Almacén Central'),
    parcels: [{ clientParcelId: `${id}-p1`, description: 'Clothes', weight: 850 }],
  }
}

type Wanted = [id: string, service: string, format: string]

/** Labels, made by the command, with the tracking codes that the carrier gave them. */
async function make(...wanted: Wanted[]) {
  const stdin = wanted.map((each) => JSON.stringify(request(...each))).join('\n')
  const create = typed`labels create --from - --out ${newFolder()} --json -q`
  const files: SavedFile[] = jsonOf(expectEnd(await spawnCli(create, { env: env(), stdin }), 0, '')).files
  return wanted.map(([id]) => files.find((file) => file.clientShipmentId === id) ?? expect.fail(id))
}

async function makeOne(...wanted: Wanted) {
  const [file] = await make(wanted)
  return file ?? expect.fail(wanted[0])
}

/** Barcodes in the pages of a PDF, at the resolution of a cheap office printer. */
const codesIn = (pdf: string) =>
  out(`cd "$(mktemp -d)" && pdftoppm -r 203 -png '${pdf}' page && zbarimg -q --raw page*.png 2>/dev/null`)
const pageSize = (pdf: string) => out(`pdfinfo '${pdf}' | grep 'Page size'`)

it('a PDF label of 100 × 150 mm passes qpdf, and zbar reads its barcode', async () => {
  const file = await makeOne('sys-pdf', 'SBX_STANDARD', 'PDF')
  expect(await out(`qpdf --check '${file.path}'`)).toMatch('No syntax or stream encoding errors found')
  expect(await pageSize(file.path)).toMatch(/283\.4\d* x 425\.\d+ pts/)
  expect((await codesIn(file.path)).split('\n')).toContain(file.carrierTrackingCode)
})

it('a label-free shipment gets a QR code', async () => {
  const file = await makeOne('sys-qr', 'SBX_LABEL_FREE', 'PDF')
  expect(file.format).toBe('PNG')
  expect((await out(`zbarimg -q --raw '${file.path}' 2>/dev/null`)).trim()).not.toBe('')
})

it('four labels on an A4 sheet, one in ZPL, have their true size and scan', async () => {
  const files = await make(
    ['sys-a', 'SBX_STANDARD', 'PDF'],
    ['sys-b', 'SBX_STANDARD', 'ZPL'],
    ['sys-c', 'SBX_PDF_ONLY', 'ZPL'],
    ['sys-d', 'SBX_URL_ONLY', 'PDF'],
  )
  expect(valuesOf(files, 'format')).toEqual(['PDF', 'ZPL', 'PDF', 'PDF'])
  const sheet = join(newFolder(), 'sheet.pdf')
  succeeded(
    await spawnCli(typed`labels print ${valuesOf(files, 'path')} --sheet a4 --per-page 4 --out ${sheet}`, {
      env: env(),
    }),
  )
  expect(await out(`qpdf --check '${sheet}'`)).toMatch('No syntax or stream encoding errors found')
  expect(await pageSize(sheet)).toMatch(/595\.\d+ x 841\.\d+ pts/)
  expect(await out(`pdfinfo '${sheet}' | grep Pages`)).toMatch(/Pages: +1\n/)
  const codes = (await codesIn(sheet)).split('\n')
  for (const file of files) expect(codes).toContain(file.carrierTrackingCode)
})

it('a full disk leaves no partial file under a final name, and the label is named', async () => {
  const ids = times(8, (index) => `sys-full-${index}`)
  await make(...ids.map((id): Wanted => [id, 'SBX_STANDARD', 'PDF']))
  const small = newFolder()
  mkdirSync(small, { recursive: true })
  await out(`mount -t tmpfs -o size=32k tmpfs '${small}'`)
  try {
    const { code, stderr } = await spawnCli(typed`labels download ${ids} --out ${small} --concurrency 1`, {
      env: env(),
    })
    expect(code).not.toBe(0)
    expect(stderr).toMatch(/sys-full-\d.*(no space|full)/is)
    for (const name of readdirSync(small).filter((one) => one.endsWith('.pdf'))) {
      expect(readFileSync(join(small, name)).subarray(-1024).toString('latin1')).toContain('%%EOF')
    }
    expect(readdirSync(small).filter((one) => one.includes('tmp'))).toEqual([])
  } finally {
    await out(`umount '${small}'`)
  }
})

const BEGINNINGS = [Buffer.from('%PDF-1.7\n'), Buffer.from('^XA'), Buffer.from('89504e470d0a1a0a', 'hex')]
const ENDINGS = ['pdf', 'zpl', 'png']

it('10,000 random labels are downloaded byte for byte, without other files', async () => {
  // Pieces of the same bytes: to make each byte on its own takes longer than to download it.
  const [bytes = new Uint8Array()] = fc.sample(fc.uint8Array({ minLength: 2 ** 16, maxLength: 2 ** 16 }), 1)
  const piece = fc
    .tuple(fc.nat(2 ** 16 - 4000), fc.nat(4000))
    .map(([from, length]) => bytes.subarray(from, from + length))
  const documents = fc.sample(fc.tuple(fc.nat(2), fc.nat(4), piece), 10_000)
  const bytesOf = (kind: number, rest: Uint8Array) =>
    Buffer.concat([BEGINNINGS[kind] ?? '', rest] as Buffer[])
  const server = await scriptServer(({ query }) => {
    const id = query.get('client_shipment_id') ?? ''
    const [kind, style, rest] = documents[Number(id.slice(4))] ?? expect.fail(id)
    const base64 = BASE64_STYLES[style]?.(bytesOf(kind, rest).toString('base64'))
    return {
      body: [{ clientShipmentId: id, shippingLabels: [{ carrierTrackingCode: `T-${id}`, base64 }] }],
    }
  })
  const out = newFolder()
  const file = newFile('ids.txt', documents.map((_one, index) => `SHP-${index}`).join('\n'))
  expectEnd(
    await spawnCli(typed`labels download --file ${file} --out ${out} -q`, {
      env: spawnEnvAt(server.baseUrl),
    }),
    0,
    '',
  )
  const listed = jsonFile(join(out, 'manifest.json')).labels
  const hashes = new Map<string, string>(
    listed.map(({ path, sha256 }: { path: string; sha256: string }) => [path, sha256]),
  )
  for (const [index, [kind, , rest]] of documents.entries()) {
    const name = `SHP-${index}.${ENDINGS[kind]}`
    const expected = bytesOf(kind, rest)
    if (!readFileSync(join(out, name)).equals(expected)) expect.fail(`${name} differs`)
    const sha256 = createHash('sha256').update(expected).digest('hex')
    if (hashes.get(name) !== sha256) expect.fail(`${name} is listed otherwise`)
  }
  expect([hashes.size, readdirSync(out).length]).toEqual([10_000, 10_001])
}, 180_000)
