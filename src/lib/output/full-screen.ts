import { usageError } from '../errors.ts'

interface Terminal {
  stdout: NodeJS.WritableStream & { isTTY?: boolean }
  readonly stdin: { isTTY?: boolean }
}

/** The terminal for a program that draws all of it, on the screen behind the one of the shell. @throws AppError `usage` where input or output is no terminal that can be drawn on */
export function fullScreen({ stdin, stdout }: Terminal, canRedraw: boolean) {
  if (!(stdin.isTTY && canRedraw)) {
    throw usageError(
      'This needs a terminal, for its output and its input.',
      'rma search TEXT and rma returns get RETURN work without',
    )
  }
  const stream = stdout as NodeJS.WriteStream
  let isTaken = false
  const switchTo = (taken: boolean, text: string) => {
    if (isTaken !== taken) stream.write(text)
    isTaken = taken
  }
  const giveBack = () => switchTo(false, '\x1b[?25h\x1b[?1049l')
  process.once('exit', giveBack)
  // Before the report of the crash, which nobody would see on the screen behind.
  process.prependListener('uncaughtException', giveBack)
  /** `giveBack` is also done when the process ends, however that comes. */
  return { stream, take: () => switchTo(true, '\x1b[?1049h\x1b[H'), giveBack }
}
