import { open, stat } from 'node:fs/promises'
import { AppError, causedBy, errorCode } from '../../errors.ts'
import { BROKEN_DISK, diskTrouble } from '../../files/file-failure.ts'
import { assertLocksOwned } from '../../files/lock.ts'
import { writeAll } from '../../files/temporary-file.ts'
import {
  encodeRecord,
  JOURNAL_VERSION,
  type JournalRecord,
  journalBytes,
  type RowOutcome,
  recover,
  stateAfter,
} from './journal-record.ts'
import type { Ledger } from './ledger.ts'

export interface JournalFile {
  write(text: string): Promise<void>
  sync(): Promise<void>
  touch(): void
  close(): Promise<void>
}

const WRITE_BEHIND_MS = 20

interface Waiter {
  resolve(): void
  reject(error: unknown): void
}

/**
 * Write-ahead journal. Intents are synced before `intend` resolves, many in one sync. Outcomes are written later; a
 * lost outcome leaves an intent, which a lookup settles. After a failed write nothing more is written: `intend` and
 * `sync` reject with an AppError `unavailable`.
 */
export class Journal {
  #pending: string[] = []
  #waiters: Waiter[] = []
  #isWriting = false
  #timer: NodeJS.Timeout | undefined
  failure: AppError | undefined
  /** Epoch milliseconds of the last write or request before the journal was opened. */
  changedMs = Date.now()
  syncedBytes: number
  #bytes: number

  constructor(
    private readonly file: JournalFile,
    readonly ledger: Ledger,
    private readonly name: string,
    bytes = 0,
  ) {
    this.#bytes = bytes
    this.syncedBytes = bytes
  }

  intend(ordinals: readonly number[]) {
    for (const ordinal of ordinals) this.ledger.set(ordinal, 'sent')
    this.#append({ type: 'intent', ordinals })
    return this.sync()
  }

  /** Takes back intents that had no effect: no lookup is needed. */
  withdraw(ordinals: readonly number[]) {
    if (ordinals.length === 0) return
    for (const ordinal of ordinals) this.ledger.set(ordinal, 'new')
    this.#append({ type: 'withdrawn', ordinals })
    this.#writeSoon()
  }

  end(ordinal: number, outcome: RowOutcome) {
    this.ledger.set(ordinal, stateAfter(outcome))
    this.#append({ type: 'outcome', ordinal, ...outcome })
    this.#writeSoon()
  }

  /** Stores the time of a request as the file's mtime, for a resume after a crash. */
  requested() {
    this.file.touch()
  }

  beginPass(which: { unknown: boolean }) {
    this.ledger.reopen(which)
    this.#append({ type: 'pass', ...which })
    return this.sync()
  }

  sync(): Promise<void> {
    if (this.failure) return Promise.reject(this.failure)
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject })
      this.#begin()
    })
  }

  async close(): Promise<void> {
    try {
      await this.sync()
    } finally {
      await this.file.close()
    }
  }

  #append(record: JournalRecord) {
    if (!this.failure) this.#pending.push(encodeRecord(record))
  }

  #writeSoon() {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#begin()
    }, WRITE_BEHIND_MS)
  }

  #begin() {
    if (!this.#isWriting) void this.#write()
  }

  async #write(): Promise<void> {
    this.#isWriting = true
    await Promise.resolve()
    clearTimeout(this.#timer)
    this.#timer = undefined
    let waiters: Waiter[] = []
    try {
      do {
        const text = this.#pending.join('')
        waiters = this.#waiters
        this.#pending = []
        this.#waiters = []
        if (text !== '') await this.file.write(text)
        this.#bytes += Buffer.byteLength(text)
        if (waiters.length > 0) {
          const written = this.#bytes
          await this.file.sync()
          this.syncedBytes = written
        }
        for (const { resolve } of waiters) resolve()
      } while (this.#waiters.length > 0)
    } catch (error) {
      const failure = error instanceof AppError ? error : writeFailure(error, this.name)
      this.failure = failure
      this.#pending = []
      for (const { reject } of [...waiters, ...this.#waiters]) reject(failure)
      this.#waiters = []
    }
    this.#isWriting = false
    if (this.#pending.length > 0) this.#writeSoon()
  }
}

function writeFailure(error: unknown, name: string, next = ', then resume the job') {
  const code = errorCode(error) ?? String(error)
  const { words, remedy } = diskTrouble(error) ?? BROKEN_DISK
  return causedBy(
    error,
    'unavailable',
    `The journal ${name} can't be written: ${words} (${code}). Nothing more is sent.`,
    `${remedy}${next}`,
  )
}

export async function createJournal(path: string) {
  const file = await openFile(path, 'ax')
  try {
    await file.write(encodeRecord({ type: 'header', version: JOURNAL_VERSION }))
    await file.sync()
  } catch (error) {
    throw writeFailure(error, path, '')
  } finally {
    await file.close()
  }
}

/** Truncates a torn end. @param knownBytes length when the journal was last seen whole. @throws AppError `config` */
export async function openJournal(path: string, knownBytes: number): Promise<Journal> {
  const { ledger, validBytes } = await recover(journalBytes(path), path, knownBytes)
  const { mtimeMs } = await stat(path)
  const file = await openFile(path, 'a', validBytes)
  return Object.assign(new Journal(file, ledger, path, validBytes), { changedMs: mtimeMs })
}

async function openFile(path: string, flags: string, keepBytes?: number): Promise<JournalFile> {
  try {
    const file = await open(path, flags, 0o600)
    if (keepBytes !== undefined) await file.truncate(keepBytes)
    return {
      write: async (text) => {
        assertLocksOwned()
        // Handing the write to a thread takes longer than the write.
        writeAll(file.fd, Buffer.from(text))
      },
      sync: () => file.datasync(),
      touch: () => void file.utimes(new Date(), new Date()).catch(() => {}),
      close: () => file.close(),
    }
  } catch (cause) {
    throw causedBy(cause, 'config', `The journal ${path} can't be opened (${errorCode(cause) ?? cause}).`)
  }
}
