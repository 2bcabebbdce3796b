import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import writeXlsxFile from 'write-excel-file/node'
import {
  asTyped,
  ended,
  errorOf,
  expectEnd,
  jsonOf,
  lastErrorOf,
  ndjson,
  succeeded,
  typed,
} from '../../helpers/command-line.ts'
import { textFile } from '../../helpers/files.ts'
import { zip } from '../../helpers/row-input.ts'
import type { RunOptions } from '../../helpers/run-cli.ts'
import { type Answer, refusal } from '../../helpers/script-server.ts'
import {
  expiredService,
  fileOf,
  type ServiceOptions,
  scans,
  type TrackingService,
  trackingService,
} from '../../helpers/tracking-service.ts'
import { times, valuesOf } from '../../helpers/values-of.ts'
import '../../../src/commands/jobs/list.ts'
import '../../../src/commands/jobs/resume.ts'
import '../../../src/commands/jobs/show.ts'
import '../../../src/commands/mappings/check.ts'
import '../../../src/commands/mappings/init.ts'
import '../../../src/commands/profiles/add.ts'
import '../../../src/commands/tracking/plan.ts'
import '../../../src/commands/tracking/push.ts'

const push = (content: string | Uint8Array) => typed`tracking push --file ${fileOf(content)}`
const ROW = 'R#-1,SHIPPING_IN_PROGRESS,2026-11-20T12:00:00Z'
const HEADER = 'shipmentId,trackingStatus,trackingDate'
const table = asTyped((rows) => [HEADER, ...rows].join('\n'))

let service: TrackingService
beforeEach(async () => {
  service = await trackingService()
})
const expectNothingSent = () => expect([service.updates, service.jobs()]).toEqual([[], []])
const run = asTyped((argv, options: RunOptions | undefined) => service.run(argv, options))

it('push, plan and mappings check warn of rows that a filter hides, before they are sent', async () => {
  const [from, types] = [
    'xl/worksheets/s.xml',
    'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  ]
  const cells = (line: string) =>
    line.split(',').map((value) => `<c t="inlineStr"><is><t>${value}</t></is></c>`)
  const lines = [HEADER, ...scans(4).split('\n').slice(1)].map(
    (line, at) => `<row r="${at + 1}" ${at > 1 && at < 4 ? 'hidden="1"' : ''}>${cells(line).join('')}</row>`,
  )
  const path = fileOf(
    zip({
      'xl/workbook.xml': '<workbook><sheet name="S" sheetId="1" r:id="r1"/></workbook>',
      'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="r1" Type="${types}/worksheet" Target="/${from}"/></Relationships>`,
      [from]: `<worksheet>${lines.join('')}</worksheet>`,
    }),
  )
  const warning = 'Warning: 2 hidden rows are read too (first: row 3)'
  expectEnd(await run`tracking push --file ${path} --dry-run`, 0, [warning])
  expectEnd(await run`tracking plan --file ${path} --out ${path}.plan`, 0, [warning])
  succeeded(await run`mappings init ${path} --name filtered`)
  expectEnd(await run`mappings check filtered ${path}`, 0, [warning])
  expectEnd(await run`tracking push --file ${path}`, 0, [warning])
  expect(service.updates).toHaveLength(4)
})

describe('files', () => {
  const names = ['Return name', 'trackingStatus', 'tracking-date', 'tracking_number', 'carrierName']
  const rows = [
    ['R#-1', 'SHIPPING_IN_PROGRESS', '2026-11-20T12:00:00Z', '0012', 'Señor Müller'],
    ['R#-2', 'shipping completed', '2026-11-20T13:00:00+01:00', '0013', ''],
  ]
  const delimited = (delimiter: string) => [names, ...rows].map((cells) => cells.join(delimiter)).join('\r\n')
  const records = rows.map((cells) =>
    Object.fromEntries(cells.map((cell, at): [string, string] => [names[at] ?? '', cell])),
  )
  const utf16 = Buffer.from(`\ufeff${delimited('\t')}`, 'utf16le')
  const workbook = async () => {
    const cells = [names, ...rows].map((row) => row.map((value) => ({ value, type: String })))
    return (await writeXlsxFile(cells)).toBuffer()
  }

  it.each<[string, () => string | Uint8Array | Promise<Uint8Array>]>([
    ['CSV', () => delimited(',')],
    ['CSV with a byte-order mark', () => `\ufeff${delimited(',')}`],
    ['CSV with semicolons in Windows-1252', () => Buffer.from(delimited(';'), 'latin1')],
    ['TSV in UTF-16, little end first', () => utf16],
    ['TSV in UTF-16, big end first', () => Buffer.from(utf16).swap16()],
    ['NDJSON', () => records.map((record) => JSON.stringify(record)).join('\n')],
    ['a JSON list', () => JSON.stringify(records, undefined, 2)],
    ['XLSX', workbook],
  ])('%s', async (_name, content) => {
    expectEnd(
      await run`${push(await content())} --map 'shipmentId=Return name' --concurrency 1`,
      0,
      /^Job \d{8}-\d{4}-\w{4}\n$/,
    )
    const common = { shipmentIdType: 'RETURN_NAME' }
    expect(service.updates).toEqual([
      {
        ...common,
        shipmentId: 'R#-1',
        trackingStatus: 'SHIPPING_IN_PROGRESS',
        trackingDate: '2026-11-20T12:00:00Z',
        trackingNumber: '0012',
        carrierName: 'Señor Müller',
      },
      {
        ...common,
        shipmentId: 'R#-2',
        trackingStatus: 'SHIPPING_COMPLETED',
        trackingDate: '2026-11-20T12:00:00Z',
        trackingNumber: '0013',
      },
    ])
  })

  it.each([
    ['', 'is empty'],
    [HEADER, 'has a header and no rows'],
    ['a,b\n1,2', 'has no column shipmentId'],
    [Buffer.from('%PDF-1.7'), 'is a PDF file'],
  ])('%j can not be sent', async (content, words) => {
    expect(await run(push(content))).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(words),
    })
    expectNothingSent()
  })

  it.each([
    [typed`--map shipmentId=Retrun`, /--map: .* has no column "Retrun".*\n(?:.*\n)*.*did you mean "Return"/],
    [
      typed`--map shipmntId=Return`,
      /--map: there is no field "shipmntId"(?:.*\n)*.*did you mean "shipmentId"/,
    ],
    [typed`--map Return`, 'is not FIELD=COLUMN'],
    [[], '--map shipmentId='],
  ])('%j is refused', async (flags, words) => {
    expectEnd(await run`${push('Return,trackingStatus\nR#-1,REQUESTED')} ${flags}`, 2, [words])
    expect(service.updates).toEqual([])
  })

  it('columns that are not sent are named, and may have the same name; failed.csv has them all', async () => {
    const { run, jobFolder } = await trackingService({
      onUpdate: () => refusal('TR02', 'no'),
    })
    const { stderr } = await run(push(`Weight,${HEADER},Colour,Weight\n1,${ROW},red,2`))
    expect(stderr).toContain('Columns that are not sent: Weight, Colour\n')
    const failed = textFile(join(jobFolder(), 'failed.csv'))
    expect(failed).toMatch(/^Weight,.*,Colour,Weight,_row/)
    expect(failed).toContain(',red,2,2,')
  })

  it('standard input is sent and kept with the job', async () => {
    succeeded(await run(typed`tracking push --file -`, { stdin: table`${ROW}` }))
    expect(service.updates.length).toBe(1)
    expect(textFile(join(service.jobFolder(), 'input'))).toBe(table`${ROW}`)
    expect(readdirSync(service.env.RMA_DATA_DIR)).toEqual(['audit', 'jobs', 'sent'])
  })
})

describe('rows', () => {
  const BAD = table`${ROW} 1002,SHIPING,soon R#-3,, '"R#-4",REQUESTED,2026-11-20T12:00:00Z,extra' R#-5,REQUESTED,2026-11-20T12:00:00Z`

  it('invalid rows are listed with row, column and value, and nothing is sent', async () => {
    const error = errorOf(ended(await run`${push(BAD)} --json`, 2))
    expect(error.message).toMatch("3 of 5 rows can't be sent; nothing was sent")
    expect(error.errors.map(({ path, message }: Record<string, string>) => `${path}: ${message}`)).toEqual([
      'row 3, column shipmentId: "1002" is not the name of a return',
      expect.stringMatching(
        /^column trackingStatus: "SHIPING": no such status in row 3; .*add it with: rma mapp/,
      ),
      'row 3, column trackingDate: "soon" is not a date and time',
      'row 4, column trackingStatus: trackingStatus is empty',
      expect.stringMatching(/^row 5: /),
    ])
    expect(error.hints.join()).toMatch(/--allow-unknown-status.*--skip-invalid/)
    expectNothingSent()
  })

  it('problems are grouped by kind, and --errors lists every row', async () => {
    const rows = times(210, (at) => `R#-${at},In transit,2026-11-20`)
    const [errors, bad] = [fileOf(''), table`${rows} R#-4,DELIVERED,5pm R#-5,Delivered,6pm`]
    const { stderr } = ended(await run`${push(bad)} --errors ${errors}`, 2)
    expect(service.updates).toEqual([])
    const near = 'nearest: SHIPPING_IN_PROGRESS; add it with: rma mappings init'
    expect(stderr).toContain(`"In transit": no such status in 210 rows (first: row 2); ${near}`)
    expect(stderr).toContain('"DELIVERED": no such status in row 212; nearest: SHIPPING_COMPLETED;')
    expect(stderr).toContain('column trackingDate is not a date and time, in 2 rows (first: row 212, "5pm")')
    expect(stderr.split('\n').length).toBeLessThan(15)
    const lines = textFile(errors).trim().split('\r\n')
    expect(lines).toHaveLength(1 + 210 + 4)
    expect(lines[1]).toMatch(
      /^2,trackingStatus,In transit,no such status,did you mean SHIPPING_IN_PROGRESS\?/,
    )
  })

  it('--errors never replaces the input file', async () => {
    const file = fileOf('bad\nx')
    expectEnd(await run`tracking push --file ${file} --errors ${file}`, 2, [`--errors would replace ${file}`])
    expect(textFile(file)).toBe('bad\nx')
  })

  it('--set sets a field in every row, whatever a column says, and the job keeps it', async () => {
    const { run, taken, renew } = await expiredService()
    const rows = 'shipmentId,carrierName\nR#-1,UPS\nR#-2,'
    const set = typed`--set carrierName=DHL --set tracking-status=REQUESTED`
    const begun = await run`${push(rows)} ${set}`
    expectEnd(begun, 4, ['not sent: carrierName'])
    renew()
    succeeded(await run`jobs resume --last`)
    expect(taken).toMatchObject([
      { carrierName: 'DHL', trackingStatus: 'REQUESTED' },
      { carrierName: 'DHL', trackingStatus: 'REQUESTED' },
    ])
    for (const wrong of ['carrier=DHL', 'carrierName', 'carrierName=']) {
      ended(await run`${push(rows)} --set ${wrong}`, 2)
    }
  })

  it('--skip-invalid sends the other rows, and a corrected failed.csv is accepted', async () => {
    const pushed = expectEnd(await run`${push(BAD)} --skip-invalid --json`, 0, ["3 rows can't be sent"])
    expect(valuesOf(service.updates, 'shipmentId')).toEqual(['R#-1', 'R#-5'])
    const summary = jsonOf(pushed)
    expect(summary).toMatchObject({ total: 5, succeeded: 2, failed: 0, skipped: 3, remaining: 0 })
    const failed = textFile(summary.failedFile)
    const [header, ...lines] = failed.trimEnd().split('\r\n')
    expect(header).toBe(`${HEADER},_row,_code,_message`)
    expect(lines.map((line) => line.split(',').slice(0, 5))).toEqual([
      ['1002', 'SHIPING', 'soon', '3', 'INVALID'],
      ['R#-3', '', '', '4', 'INVALID'],
      ['R#-4', 'REQUESTED', '2026-11-20T12:00:00Z', '5', 'INVALID'],
    ])
    const again = await run`tracking push --file ${summary.failedFile}`
    expectEnd(again, 2, ['3 of 3 rows'])
    const mended = failed
      .replace('1002,SHIPING,soon', 'R#-1002,REQUESTED,2026-11-20')
      .replace('R#-3,,', 'R#-3,REQUESTED,')
      .replace(/,extra\r\n/, '\r\n')
    succeeded(await run(push(mended)))
    expect(valuesOf(service.updates.slice(2), 'shipmentId').sort()).toEqual(['R#-1002', 'R#-3', 'R#-4'])
  })

  it('with --shard the number of rows left out is said to be that of the whole file', async () => {
    for (const shard of ['1/2', '2/2'])
      expectEnd(await run`${push(BAD)} --skip-invalid --shard ${shard}`, 0, [
        "Warning: 3 rows can't be sent and are left out (in the whole file)\n",
      ])
  })

  it('numbers spoilt by a spreadsheet are refused with a remedy', async () => {
    const numbers = ['0012345', '0012346', '12347', '1.23E+11']
    const rows = numbers.map((number, at) => `R#-${at},REQUESTED,${number}`)
    expectEnd(await run(push(['shipmentId,trackingStatus,trackingNumber', ...rows].join('\n'))), 2, [
      /"12347" seems to have lost leading zeros.*0012347.*row 4, column trackingNumber/,
      /"1.23E\+11" .*scientific notation.*row 5, column trackingNumber/,
      'format the column as text',
    ])
    expect(service.updates).toEqual([])
  })

  it('a skipped spoilt number is refused until somebody writes it into failed.csv', async () => {
    const rows = ['R#-1,REQUESTED,0012345', 'R#-2,REQUESTED,12347', 'R#-3,REQUESTED,1.23E+11']
    const text = ['shipmentId,trackingStatus,trackingNumber', ...rows].join('\n')
    const { failedFile } = jsonOf(succeeded(await run`${push(text)} --skip-invalid --json`))
    const failed = textFile(failedFile)
    expect(failed).toMatch(/^R#-2,REQUESTED,#NUM!,3,INVALID,trackingNumber 12347 seems to have lost/m)
    expect(failed).toMatch(/^R#-3,REQUESTED,#NUM!,4,INVALID,trackingNumber 1.23E\+11 a number in/m)
    expectEnd(await run(push(failed)), 2, ['2 of 2 rows'])
    succeeded(await run(push(failed.replace('#NUM!', '0012347').replace('#NUM!', '123000000001'))))
    expect(valuesOf(service.updates, 'trackingNumber')).toEqual(['0012345', '0012347', '123000000001'])
  })

  it('a file without valid rows is reported as such, whatever was sent before', async () => {
    for (const count of [2, 3]) {
      const rows = times(count, (at) => `R#-${at},NONSENSE`)
      const file = push(['shipmentId,trackingStatus', ...rows].join('\n'))
      const { total, skipped } = jsonOf(succeeded(await run`${file} --skip-invalid --json`))
      expect([total, skipped]).toEqual([count, count])
    }
  })

  it('repeated rows are left out with a note, contradictions get a warning', async () => {
    const rows = typed`${ROW} ${ROW} R#-1,SHIPPING_COMPLETED,2026-11-20T12:00:00Z R#-2,SHIPPING_COMPLETED,2026-11-20T12:00:00Z R#-2,REQUESTED,2026-11-20T13:00:00Z`
    const { stdout } = expectEnd(await run`${push(table`${rows}`)} -o ndjson`, 0, [
      'Warning: 1 row repeats an earlier one and is left out',
      'row 4: R#-1 is SHIPPING_COMPLETED at the same second',
      "row 6: R#-2 can't be REQUESTED when row 5 has it SHIPPING_COMPLETED",
    ])
    expect(service.updates).toHaveLength(4)
    expect(ndjson(stdout).filter(({ status }) => status === 'skipped')).toEqual([
      {
        row: 3,
        key: 'R#-1',
        status: 'skipped',
        attempts: 0,
        error: { code: 'REPEATED', message: expect.any(String) },
      },
    ])
  })

  it('a status that the specification does not know is sent only when told to', async () => {
    const argv = push(table`R#-1,AT_CUSTOMS,`)
    expectEnd(await run(argv), 2, ['AT_CUSTOMS'])
    expectEnd(await run`${argv} --allow-unknown-status`, 0, ['does not know the status AT_CUSTOMS'])
    expect(service.updates).toMatchObject([{ trackingStatus: 'AT_CUSTOMS' }])
  })

  it('rows of one return are sent in sequence, with its shop or without', async () => {
    let [open, most] = [0, 0]
    const service = await trackingService({
      onUpdate: async () => {
        open += 1
        most = Math.max(most, open)
        await delay(50)
        open -= 1
        return undefined
      },
    })
    const file = fileOf('shipmentId,trackingStatus,shopCode\nR#-1,REQUESTED,ES\nR#-1,SHIPPING_COMPLETED,\n')
    succeeded(await service.run`tracking push --file ${file}`)
    expect([service.taken.length, most]).toEqual([2, 1])
  })

  it('the shop of a row goes before that of the command', async () => {
    const argv = push('shipmentId,trackingStatus,shopCode\nR#-1,REQUESTED,FJORD-SE\nR#-2,REQUESTED,')
    succeeded(await run`${argv} --shop LUMBRE-ES --concurrency 1`)
    expect(valuesOf(service.updates, 'shopCode')).toEqual(['FJORD-SE', 'LUMBRE-ES'])
  })
})

describe('what is printed', () => {
  const argv = push(scans(3))

  it('--json prints one object for the job', async () => {
    expect(jsonOf(await run`${argv} --json`)).toMatchObject({
      jobId: service.jobs()[0],
      total: 3,
      succeeded: 3,
      failed: 0,
      unknown: 0,
      skipped: 0,
      remaining: 0,
      failedFile: null,
      durationMs: expect.any(Number),
    })
  })

  it('one line a row', async () => {
    const { run } = await trackingService({
      onUpdate: ({ shipmentId }) => (shipmentId === 'R#-2' ? refusal('TR02', 'too late') : undefined),
    })
    const { stdout } = ended(await run`${argv} -o ndjson`, 9)
    const rows = ndjson(stdout).sort((a, b) => Number(a.row) - Number(b.row))
    expect(rows).toEqual([
      { row: 2, key: 'R#-1', status: 'succeeded', attempts: 1 },
      { row: 3, key: 'R#-2', status: 'failed', attempts: 1, error: { code: 'TR02', message: 'too late' } },
      { row: 4, key: 'R#-3', status: 'succeeded', attempts: 1 },
    ])
    const csv = await run`${argv} --again -o csv --columns row,status,code`
    expect(csv.stdout.trim().split(/\r?\n/).sort()).toEqual([
      '2,succeeded,',
      '3,failed,TR02',
      '4,succeeded,',
      'row,status,code',
    ])
  })

  it('push prints a table of the job', async () => {
    const { stdout } = await run(argv, { columns: 120 })
    expect(stdout).toMatch(/JOB +ROWS +SUCCEEDED +FAILED +UNKNOWN +SKIPPED +REMAINING|Succeeded/i)
    service.updates.length = 0
    for (const more of [[], typed`-o csv`, ['--dry-run']]) {
      const unknown = await run`${argv} --columns nope ${more}`
      expect(unknown).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/succeeded|status/),
      })
    }
    expect(service.updates).toEqual([])
  })

  it.each([['json'], ['ndjson'], ['table'], ['csv']])(
    '--dry-run as %s prints what would be sent, and sends nothing',
    async (format) => {
      const { stdout } = expectEnd(await run`${argv} --dry-run -o ${format}`, 0, [
        'Dry run: nothing was sent; 3 rows would be.',
      ])
      expect([service.requests, service.jobs()]).toEqual([[], []])
      if (format === 'json' || format === 'ndjson') {
        const planned = format === 'json' ? JSON.parse(stdout) : ndjson(stdout)
        expect(planned[1]).toEqual({
          row: 3,
          method: 'POST',
          url: `${service.baseUrl}/shipping_trackings`,
          body: {
            shipmentId: 'R#-2',
            shipmentIdType: 'RETURN_NAME',
            trackingStatus: 'SHIPPING_IN_PROGRESS',
            trackingDate: '2026-11-20T12:00:00Z',
          },
        })
        expect(planned).toHaveLength(3)
      } else expect(stdout.trim().split('\n')).toHaveLength(4)
    },
  )

  it('--dry-run with rows left out counts what would be sent', async () => {
    const { stdout, stderr } = await run`${push(table`${ROW} ${ROW} bad,bad,`)} --skip-invalid -n -o ndjson`
    expect(ndjson(stdout)).toHaveLength(1)
    expect(stderr).toContain('1 row would be')
  })
})

describe('ends', () => {
  const argv = push(scans(20))

  it.each([
    ['a refused row', 9, refusal('TR02')],
    ['every update refused for the token', 4, refusal('AU02', 'expired', 401)],
    ['no shop', 6, refusal('SC01', 'shop needed')],
    ['no such path', 5, refusal('NF01', 'no such path', 404)],
  ])('%s: exit %i', async (_name, exit, answer) => {
    const { run } = await trackingService({
      onUpdate: (_, index) => (index === 0 || exit !== 9 ? answer : undefined),
    })
    const { code, stdout, stderr } = await run`${argv} --json`
    expect(code).toBe(exit)
    // The summary is printed whatever happened.
    const summary = JSON.parse(stdout)
    expect(summary.succeeded + summary.failed + summary.remaining).toBe(20)
    const { hints } = lastErrorOf({ stderr })
    // A job that was begun without a shop takes none later.
    if (exit === 6) expect(hints).toEqual(['send the file again with --shop CODE'])
    else expect(hints.join()).toContain('rma jobs re')
  })

  it('unknown rows are exit 10', async () => {
    const { run } = await trackingService({
      onUpdate: ({ shipmentId }) => (shipmentId === 'R#-7' ? { fault: 'reset' } : undefined),
      onLook: () => refusal('NO', 'no looks here', 400),
    })
    expect(jsonOf(expectEnd(await run`${argv} --json --retries 0`, 10, ['--unknown']))).toMatchObject({
      succeeded: 19,
      unknown: 1,
    })
  })

  it.each([
    ['3', 40, 4],
    ['0', 40, 1],
    ['5%', 400, 20],
  ])('--max-failures %s stops when all rows fail', async (limit, rows, least) => {
    const { run } = await trackingService({ onUpdate: () => refusal('SH01') })
    const { stdout, stderr } = ended(
      await run`${push(scans(rows))} --max-failures ${limit} --concurrency 2 --json`,
      9,
    )
    const { failed, remaining } = JSON.parse(stdout)
    expect(failed).toBeGreaterThanOrEqual(least)
    expect(failed).toBeLessThan(limit === '5%' ? 110 : least + 3)
    expect(failed + remaining).toBe(rows)
    expect(stderr).toMatch('too many rows failed')
  })

  it.each<[string, number, Answer]>([
    ['with an error', 202, refusal('SH01', 'not ours')],
    // Others are sent before the answers are proven.
    ['with 200', 299, { body: { statusCode: 'KO', description: 'not ours' } }],
  ])(
    'a job whose first 200 rows all fail %s stops and names jobs resume, which sends the others',
    async (_name, most, answer) => {
      const { run, updates } = await trackingService({ onUpdate: () => answer })
      const ended = await run`${push(scans(300))} --concurrency 2 --json`
      const { failed, remaining } = jsonOf(ended)
      expect([ended.code, failed + remaining]).toEqual([9, 300])
      expect(failed).toBeLessThanOrEqual(most)
      expect(failed).toBeGreaterThanOrEqual(200)
      const error = lastErrorOf(ended)
      expect(error.message).toMatch(/all of the first 2\d\d rows failed/)
      expect(error.hints[0]).toContain('rma jobs resume')
      const resumed = await run`jobs resume --last --json`
      expect([resumed.code, jsonOf(resumed)]).toMatchObject([9, { failed: 300, remaining: 0 }])
      expect(updates).toHaveLength(300)
    },
  )

  it.each([
    ['one row succeeds', 220, typed`--concurrency 1`, 150],
    ['--max-failures says otherwise', 220, typed`--max-failures 100%`, -1],
    ['there are no more than 200', 200, [], -1],
  ])('all rows are sent if %s', async (_name, rows, flags, taken) => {
    const { run, updates } = await trackingService({
      onUpdate: (_, index) => (index === taken ? undefined : refusal('SH01')),
    })
    ended(await run`${push(scans(rows))} ${flags}`, 9)
    expect(updates).toHaveLength(rows)
  })

  it('--max-failures 5% sends all rows if fewer fail', async () => {
    const { run } = await trackingService({
      onUpdate: (_, index) => (index % 25 === 0 ? refusal('SH01') : undefined),
    })
    expect(jsonOf(await run`${push(scans(300))} --max-failures 5% --json`)).toMatchObject({
      failed: 12,
      remaining: 0,
    })
  })

  it.each([
    '--max-failures some',
    '--max-failures 101%',
    '--rate 0/s',
    '--rate fast',
    '--rate 0.0000001/s',
    '--concurrency 0',
    '--shard 0/8',
    '--shard 9/8',
    '--plan x',
    '--status REQUESTED',
    '--date today --number 1',
    'R#-1 --status REQUESTED',
  ])('tracking push %s is refused', async (flags) => {
    expect(await run`${argv} ${flags.split(' ')}`).toMatchObject({ code: 2, stdout: '' })
    expect(service.updates).toEqual([])
  })

  it('--rate limits the rate', async () => {
    const sentAt: number[] = []
    const { run } = await trackingService({ onUpdate: () => void sentAt.push(performance.now()) })
    succeeded(await run`${argv} --rate 25/s`)
    const [first = 0, last = 0] = [sentAt[0], sentAt.at(-1)]
    expect(last - first).toBeGreaterThan(700)
  })

  it('a protected profile asks', async () => {
    const env = { RMA_BASE_URL: '' }
    const added = await run(
      typed`profiles add live --environment production --base-url ${service.baseUrl} --protected`,
      { env },
    )
    expect(added).toMatchObject({ code: 0 })
    const live = typed`${argv} --profile live`
    expectEnd(await run(live, { env }), 2, ['protected'])
    expectNothingSent()
    succeeded(await run(typed`${live} --yes`, { env }))
    expect(service.updates).toHaveLength(20)
  })

  it('a job that never started leaves nothing', async () => {
    await run(push(table`x,y,z`))
    ended(await run(argv, { env: { RMA_TOKEN: '' } }), 4)
    expect(existsSync(join(service.env.RMA_DATA_DIR, 'jobs'))).toBe(false)
  })
})

const says = (codes: Record<string, string | undefined>): ServiceOptions => ({
  onUpdate: ({ shipmentId }) =>
    shipmentId in codes
      ? { body: { statusCode: codes[shipmentId], description: `about ${shipmentId}` } }
      : undefined,
})

it('duplicate and stale rows count as succeeded, and are counted separately', async () => {
  const { run } = await trackingService(says({ 'R#-1': 'DUPLICATE', 'R#-2': 'STALE', 'R#-3': 'STALE' }))
  const argv = push(scans(5))
  const json = await run`${argv} --json`
  expectEnd(json, 0, /^Job \S+\n$/)
  const counts = { succeeded: 5, duplicate: 1, stale: 2, failed: 0, unknown: 0, failedFile: null }
  expect(jsonOf(json)).toMatchObject(counts)
  const { failedFile: _, ...shown } = counts
  expect(jsonOf(await run`jobs show --last --json`)).toMatchObject(shown)
  expect((await run`jobs show --last`).stdout).toMatch(/duplicate +1\n.*stale +2\n/i)
  const listed = await run`jobs list -o csv --columns duplicate,stale`
  expect(listed.stdout.trim().split(/\r?\n/)).toEqual(['duplicate,stale', '1,2'])
})

it.each([
  ['ndjson', /"key":"R#-1","status":"succeeded","attempts":1,"applied":false,"reason":"duplicate"/],
  ['csv', /R#-1,succeeded,1,duplicate,/],
  ['yaml', /duplicate: 1\n/],
  ['table', /DUPLICATE|Duplicate/],
])('an answer is counted as %s', async (format, words) => {
  const { run } = await trackingService(says({ 'R#-1': 'DUPLICATE' }))
  expect(await run`${push(scans(2))} -o ${format}`).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(words),
  })
})

it('a failure code fails its row, whatever the HTTP status', async () => {
  const { run } = await trackingService(says({ 'R#-1': '404', 'R#-3': 'KO' }))
  const summary = jsonOf(ended(await run`${push(scans(4))} --json`, 9))
  expect(summary).toMatchObject({ succeeded: 2, failed: 2, unknown: 0 })
  const failed = textFile(summary.failedFile).trim().split('\r\n').slice(1)
  expect(failed).toEqual([
    expect.stringMatching(/^R#-1,.*,404,about R#-1$/),
    expect.stringMatching(/^R#-3,.*,KO,about R#-3$/),
  ])
})

it('an unknown or missing code is one warning, and --strict changes only the exit code', async () => {
  const codes = { 'R#-1': 'DONE', 'R#-2': 'DONE', 'R#-4': undefined }
  const words = /Warning: 2 answers have values of statusCode .*: DONE\nWarning: 1 answer lacks statusCode\n/
  const lenient = await (await trackingService(says(codes))).run(typed`${push(scans(4))} --json`)
  expectEnd(lenient, 0, [words])
  const strict = await (await trackingService(says(codes))).run(typed`${push(scans(4))} --json --strict`)
  expect(jsonOf(ended(strict, 8))).toMatchObject({ succeeded: 4, failedFile: null })
  expect(strict.stderr).toMatch('DONE')
  // A failed row is the graver end; the warning stays.
  const service = await trackingService(says({ ...codes, 'R#-3': 'ERROR' }))
  const failed = await service.run`${push(scans(4))} --json --strict`
  expectEnd(failed, 9, [words])
})

it('an answer that is not an object is settled by a look', async () => {
  const { run, taken } = await trackingService({
    onUpdate: ({ shipmentId }) => (shipmentId === 'R#-1' ? { body: [], isTaken: true } : undefined),
  })
  expect(jsonOf(succeeded(await run`${push(scans(2))} --json`))).toMatchObject({ succeeded: 2 })
  expect(taken).toHaveLength(2)
})
