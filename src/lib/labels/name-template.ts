import { AppError } from '../errors.ts'
import { isMisleading, safeStem } from './safe-names.ts'

const NAME_FIELDS = ['name', 'carrier', 'service', 'shop', 'order', 'date'] as const

/** Values of fields, if known. `name` is a safe name already. */
export type NameFields = Record<(typeof NAME_FIELDS)[number], string | undefined>

/** Text between fields that every disk takes. */
const LITERAL = /^[A-Za-z0-9 ._/-]*$/
const MAX_CHARS = 200

/**
 * Reads `{carrier}/{date}/{name}`. The result makes a path without extension of a label's fields.
 *
 * @throws AppError `usage` if the path could leave the folder, or for an unknown field
 */
export function parseNameTemplate(template: string): (fields: NameFields) => string {
  const parts = template.split(/\{([^{}]*)\}/)
  for (const [index, part] of parts.entries()) {
    const isField = index % 2 === 1
    if (isField && !isNameField(part)) {
      throw refused(template, `{${part}} is none of ${NAME_FIELDS.map((field) => `{${field}}`).join(', ')}`)
    }
    if (!isField && !LITERAL.test(part)) {
      throw refused(template, `${JSON.stringify(part)}: letters, digits, spaces and . _ - / only`)
    }
  }
  if (/\.(?:pdf|zpl|png)$/i.test(template)) throw refused(template, 'leave the ending to the label')
  return (fields) => {
    const path = parts
      .map((part, index) => (index % 2 === 1 && isNameField(part) ? fieldText(part, fields) : part))
      .join('')
    const problem = problemOf(path)
    if (problem === undefined) return path
    throw refused(template, `${JSON.stringify(path)} ${problem}`)
  }
}

function isNameField(text: string): text is keyof NameFields {
  return NAME_FIELDS.some((field) => field === text)
}

function fieldText(field: keyof NameFields, fields: NameFields): string {
  const value = fields[field] ?? 'none'
  return field === 'name' ? value : safeStem(value)
}

function problemOf(path: string): string | undefined {
  if (path.length > MAX_CHARS) return 'is too long'
  const segments = path.split('/')
  if (segments.some((segment) => segment === '' || /^[. ]|[. ]$/.test(segment)))
    return 'has a part that is empty, or begins or ends with a dot or space'
  return segments.some(isMisleading) ? 'could be taken for another file' : undefined
}

function refused(template: string, why: string): AppError {
  return new AppError('usage', `--name ${template}: ${why}.`, {
    hints: ["for example: --name '{carrier}/{date}/{name}'"],
  })
}
