import { AppError, rewordError } from '../errors.ts'
import { writeLabel } from './write-new-file.ts'

export interface PageToWrite {
  /** How errors call it: `map`. */
  what: string
  path: string
  html: string
  /** Replace a file that is there with other content. */
  force: boolean
  /** That named the path: `--map`. */
  flag: string
  signal: AbortSignal
}

/** Writes a page under its name only when it is whole. @throws AppError `usage` for a name that is taken, or is none */
export async function writePage({ what, path, html, force, flag, signal }: PageToWrite): Promise<void> {
  if (path === '-')
    throw new AppError('usage', `${flag} takes the name of a file.`, { hints: [`${flag} ${what}.html`] })
  try {
    await writeLabel({ what, path, content: [Buffer.from(html)], force, signal })
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'usage') throw error
    const isTaken = error.hints.some((hint) => hint.startsWith('--force'))
    const other = `choose another file with ${flag}`
    const hints = isTaken ? ['--force replaces the file', `or ${other}`] : [other]
    throw rewordError(error, error.message, { hints })
  }
}
