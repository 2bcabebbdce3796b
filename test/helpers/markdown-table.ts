const LINE_LENGTH = 119

/** A Markdown table, with aligned columns if its lines fit the documentation's width. */
export function markdownTable(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headers.map((_, i) => Math.max(3, ...[headers, ...rows].map((row) => row[i]?.length ?? 0)))
  const isAligned = widths.reduce((sum, width) => sum + width + 3, 1) <= LINE_LENGTH
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, i) => (isAligned ? cell.padEnd(widths[i] ?? 0) : cell)).join(' | ')} |`
  const rule = widths.map((width) => '-'.repeat(isAligned ? width : 3))
  return [line(headers), line(rule), ...rows.map(line)].join('\n')
}

/** A Markdown list item, wrapped like the pages. */
export function wrappedItem(text: string): string {
  return `- ${(text.match(/\S.{0,114}(?=\s|$)/g) ?? []).join('\n  ')}`
}
