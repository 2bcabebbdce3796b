import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { openRows } from '../../src/lib/bulk/rows/open.ts'
import { type RawRow, type RowFile, sourceText } from '../../src/lib/bulk/rows/row.ts'
import { newFolder } from './files.ts'

const folder = newFolder()
let files = 0

/** Writes content to a new file. */
export function inputFile(content: string | Uint8Array): string {
  const path = join(folder, `input-${files++}`)
  writeFileSync(path, content)
  return path
}

export function open(content: string | Uint8Array, blockBytes?: number): Promise<RowFile> {
  return openRows(inputFile(content), { name: 'FILE', blockBytes })
}

export async function allRows(source: RowFile): Promise<RawRow[]> {
  const rows: RawRow[] = []
  for await (const batch of source.rows()) rows.push(...batch)
  return rows
}

export async function texts(content: string | Uint8Array, blockBytes?: number): Promise<unknown[][]> {
  const rows = await allRows(await open(content, blockBytes))
  return rows.map(({ row, cells, fault }) => [
    row,
    ...cells.map(sourceText),
    ...(fault ? [fault.message] : []),
  ])
}

export interface Deflated {
  data: Buffer
  /** Unpacked size. */
  bytes: number
}

/** Makes a zip of stored or deflated files, for workbooks that no program writes. */
export function zip(files: Readonly<Record<string, string | Buffer | Deflated>>): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  const entries = Object.entries(files)
  for (const [name, content] of entries) {
    const isDeflated = typeof content === 'object' && 'bytes' in content
    const data = isDeflated ? content.data : Buffer.from(content)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(isDeflated ? 8 : 0, 4)
    // No tested reader uses the packed size.
    fields.writeUInt32LE(isDeflated ? 0 : crc32(data), 10)
    fields.writeUInt32LE(data.length, 14)
    fields.writeUInt32LE(isDeflated ? content.bytes : data.length, 18)
    fields.writeUInt16LE(name.length, 22)
    const one = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), data])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), fields, tail, Buffer.from(name)]))
    local.push(one)
    offset += one.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...local, directory, end])
}
