/** What a label may keep in the printer for those after it. What else it may keep is left to the renderer. */
const GRAPHIC = /~DG([^,~^]+),[^~^]*/gi
const FORMAT = /\^DF([^~^]+)/i
const RECALL = /\^(?:XG|XF)([^,~^]+)/gi
const OTHERWISE_KEPT = /(?:\^(?:IM|IS|IL|CW|CC|CD|CT)|~(?:DY|DU|CC|CD|CT))/i
/** Settings that stay until a label changes them. */
const SETTING = /\^(BY|CF|CI|FW|LH|LR|PW)([^^~]*)/g

/**
 * Each label of a file with what those before it have set, and the formats and graphics that it recalls; undefined
 * where more than that may be left of them.
 */
export function independentLabels(zpl: string): string[] | undefined {
  // Behind the last label may stand a line's end, or a word to the printer.
  const end = zpl.toUpperCase().lastIndexOf('^XZ') + 3
  if (/\^XA/i.test(zpl.slice(end)) || OTHERWISE_KEPT.test(zpl)) return undefined
  const parts = zpl.slice(0, end).split(/(?<=\^XZ)/i)
  let kept: Setting[] = []
  const stored = new StoredObjects()
  return parts.map((part) => {
    const before = kept.map(({ name, operands }) => `^${name}${operands.join(',')}`).join('')
    for (const [, name = '', text = ''] of part.matchAll(SETTING)) {
      const setting = { name, operands: text.trim().split(',') }
      kept = [...kept.filter((former) => !outdates(setting, former)), setting]
    }
    for (const [text, name = ''] of part.matchAll(GRAPHIC)) stored.keep(name, text)
    const label = part.replace(GRAPHIC, '').replace(/\^XA/i, (start) => start + before)
    const whole = stored.recalledBy(label) + label
    const [, format] = FORMAT.exec(label) ?? []
    if (format !== undefined) stored.keep(format, whole)
    return whole
  })
}

/** Formats and graphics by their names, which may be called without drive and extension. */
class StoredObjects {
  readonly #byName = new Map<string, Map<string, string>>()

  keep(name: string, text: string): void {
    const alike = this.#byName.get(bareName(name)) ?? new Map<string, string>()
    this.#byName.set(bareName(name), alike.set(name.trim(), text))
  }

  /** What has to stand before a label that recalls some of them. */
  recalledBy(label: string): string {
    const names = new Set(Array.from(label.matchAll(RECALL), ([, name = '']) => bareName(name)))
    return [...names].flatMap((name) => [...(this.#byName.get(name)?.values() ?? [])]).join('')
  }
}

function bareName(name: string): string {
  return name
    .trim()
    .replace(/^\w:/, '')
    .replace(/\.\w*$/, '')
    .toUpperCase()
}

interface Setting {
  name: string
  operands: string[]
}

/** An operand that is left out stays as it was. */
function outdates({ name, operands }: Setting, former: Setting): boolean {
  const isSame = operands.join() === former.operands.join()
  const isWhole = operands.length >= former.operands.length && !operands.includes('')
  return name === former.name && (isSame || isWhole)
}
