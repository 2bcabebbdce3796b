/** Formats JSON like this repository: lists of plain values on one line if they fit. */
export function jsonText(value: unknown): string {
  const plain = String.raw`(?:"(?:[^"\\\n]|\\.)*"|[\d.]+|true|false)`
  const list = new RegExp(String.raw`^(.*)\[\n\s+(${plain}(?:,\n\s+${plain})*)\n\s*\](.*)$`, 'gm')
  const text = JSON.stringify(value, null, 2).replace(
    list,
    (whole, before: string, items: string, after: string) => {
      const line = `${before}[${items.replace(/,\n\s+/g, ', ')}]${after}`
      return line.length <= 110 ? line : whole
    },
  )
  return `${text}\n`
}
