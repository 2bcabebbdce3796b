import { appendFile, readFile } from 'node:fs/promises'
import * as z from 'zod'
import { AppError, errorCode } from '../../../errors.ts'
import { DATA_FOLDER, fileFailure } from '../../../files/file-failure.ts'
import { replaceFile } from '../../../files/temporary-file.ts'
import type { FeedState, SeenChange } from './change-feed.ts'

const headSchema = z.object({ rmaWatch: z.literal(1), markMs: z.number().nullable() })
const seenSchema = z.object({
  key: z.string(),
  updatedAt: z.string().nullable(),
  digest: z.string(),
  changedMs: z.number(),
})

/** How far a watch came: where it stands, then what it told of since, one a line. */
export class MarkFile {
  constructor(readonly path: string) {}

  /** Returns undefined without the file. @throws AppError `config` for a file that no watch made */
  async read(): Promise<FeedState | undefined> {
    const text = await readFile(this.path, 'utf8').catch((error) => {
      if (errorCode(error) === 'ENOENT') return undefined
      throw error
    })
    if (text === undefined) return undefined
    // A kill cut off the text behind the last line feed.
    const [first = '', ...others] = text.split('\n').slice(0, -1)
    try {
      const { markMs } = headSchema.parse(JSON.parse(first))
      return { markMs, seen: others.map((line) => seenSchema.parse(JSON.parse(line))) }
    } catch (cause) {
      const hints = [`remove it to watch from now on: ${this.path}`]
      throw new AppError('config', 'What was watched before can not be read.', { hints, cause })
    }
  }

  async write({ markMs, seen }: FeedState): Promise<void> {
    const lines = [{ rmaWatch: 1, markMs }, ...seen].map((one) => `${JSON.stringify(one)}\n`)
    await this.#save(() => replaceFile(this.path, lines.join('')))
  }

  async add(change: SeenChange): Promise<void> {
    await this.#save(() => appendFile(this.path, `${JSON.stringify(change)}\n`, { flush: true }))
  }

  async #save(action: () => Promise<void>): Promise<void> {
    try {
      await action()
    } catch (error) {
      throw fileFailure(error, "How far the watch came can't be kept", this.path, DATA_FOLDER)
    }
  }
}
