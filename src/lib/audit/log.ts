import { hash, randomBytes } from 'node:crypto'
import { closeSync, fdatasync, fdatasyncSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DATA_FOLDER, fileFailure } from '../files/file-failure.ts'
import { GroupSync, syncFolder, writeAll } from '../files/temporary-file.ts'
import type { NewAuditEntry } from './entry.ts'

/** Size after which the next file begins: about 20,000 lines. */
const MAX_FILE_BYTES = 8 * 2 ** 20

const disk = new GroupSync(promisify(fdatasync))

export function lineHash(line: string): string {
  return hash('sha256', line)
}

/**
 * Appends the hash chain of one run to files that many processes write at once. An index notes each synced line, so
 * that a missing tail is found.
 */
export class AuditLog {
  readonly #chain = randomBytes(6).toString('hex')
  // Machines that share a folder over a network would overwrite each other's lines.
  readonly #host = hostname().replace(/[^\w.-]/g, '_') || 'host'
  readonly #files: number[] = []
  readonly #index: number
  #name = ''
  #file = -1
  /** Settles when the file's name is synced. */
  #nameSynced: Promise<void> | undefined
  #last = { seq: 0, hash: null as string | null }

  private constructor(
    private readonly dir: string,
    private readonly maxFileBytes: number,
  ) {
    this.#index = this.#open(`${this.#host}.index`)
    this.#openNewest()
  }

  /** @param dir of mode 0700 @throws AppError */
  static async open(dir: string, maxFileBytes = MAX_FILE_BYTES): Promise<AuditLog> {
    try {
      const log = new AuditLog(dir, maxFileBytes)
      await log.#nameSynced
      return log
    } catch (error) {
      throw failure(error, dir)
    }
  }

  /** Resolves with the line's `seq` when the line is synced. @throws AppError */
  append(time: number, entry: NewAuditEntry): Promise<number> {
    return this.#append(time, entry).catch((error: unknown) => {
      throw failure(error, this.dir)
    })
  }

  async #append(time: number, entry: NewAuditEntry) {
    if (fstatSync(this.#file).size >= this.maxFileBytes) {
      // A power cut must not leave later lines without earlier ones.
      fdatasyncSync(this.#file)
      this.#openNewest()
    }
    const [name, file, chain, seq] = [this.#name, this.#file, this.#chain, this.#last.seq + 1]
    const link = { chain, seq, time: new Date(time).toISOString(), ...entry, prev: this.#last.hash }
    const text = JSON.stringify(link)
    const hash = lineHash(text)
    // A killed process or a full disk may have left half a line.
    const start = endsWithLine(file) ? '' : '\n'
    writeAll(file, Buffer.from(`${start}${text.slice(0, -1)},"hash":"${hash}"}\n`))
    this.#last = { seq, hash }
    await Promise.all([disk.sync(file), this.#nameSynced])
    writeAll(this.#index, Buffer.from(`${name} ${chain} ${seq} ${hash}\n`))
    return seq
  }

  close() {
    for (const file of this.#files) closeSync(file)
  }

  #openNewest() {
    const numbers = readdirSync(this.dir)
      .filter((name) => hostOf(name) === this.#host)
      .map((name) => Number.parseInt(name.slice(this.#host.length + 1), 10))
    const newest = Math.max(1, ...numbers)
    this.#openNumber(newest)
    if (fstatSync(this.#file).size >= this.maxFileBytes) this.#openNumber(newest + 1)
    this.#nameSynced = syncFolder(this.dir)
  }

  #openNumber(number: number) {
    this.#name = `${this.#host}-${String(number).padStart(6, '0')}.ndjson`
    this.#file = this.#open(this.#name)
  }

  #open(name: string) {
    const file = openSync(join(this.dir, name), 'a+', 0o600)
    this.#files.push(file)
    return file
  }
}

export function hostOf(file: string): string | undefined {
  return /^(.+)-\d{6,}\.ndjson$/.exec(file)?.[1]
}

function failure(error: unknown, dir: string) {
  return fileFailure(error, "The audit log can't be written", dir, DATA_FOLDER)
}

function endsWithLine(file: number) {
  const { size } = fstatSync(file)
  const last = Buffer.from('\n')
  if (size > 0) readSync(file, last, 0, 1, size - 1)
  return last.toString() === '\n'
}
