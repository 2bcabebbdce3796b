import { AppError } from '../errors.ts'

const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/
/** Replacement for bytes that are not UTF-8. */
const UNDECODED = '\ufffd'

/** @throws AppError `usage` if a line is not text, like lines of a workbook */
export function checkIdLine(line: string, source: string, number: number): void {
  const [control] = CONTROL.exec(line) ?? []
  if (control === undefined && !line.includes(UNDECODED)) return
  const code = control?.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  const why = code === undefined ? 'is not UTF-8' : `holds the control character U+${code}`
  throw new AppError('usage', `${source} is no list of ids: line ${number} ${why}.`, {
    hints: ['give a text file in UTF-8, one id a line; a workbook has to be exported first'],
  })
}
