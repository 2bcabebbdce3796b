import { type FileHandle, open } from 'node:fs/promises'

/**
 * `FILE-wal`, which SQLite appends transactions to. It is synced here and not by SQLite, which would hold up all other
 * requests until the disk has it.
 */
export class WriteAheadLog {
  readonly #file: string
  #handle: Promise<FileHandle> | undefined

  constructor(file: string) {
    this.#file = `${file}-wal`
  }

  /** Settles once all that was committed before is on the disk. The log is there while a connection is open. */
  async sync(): Promise<void> {
    // Windows syncs only what may be written to.
    this.#handle ??= open(this.#file, 'r+')
    await (await this.#handle).datasync()
  }

  /** After a sync that has begun. */
  close(): void {
    this.#handle?.then((handle) => handle.close()).catch(() => {})
  }
}
