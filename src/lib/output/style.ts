const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  inverse: [7, 27],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
} as const

export type Style = keyof typeof STYLES

export function styled(text: string, style: Style): string {
  const [on, off] = STYLES[style]
  return `\x1b[${on}m${text}\x1b[${off}m`
}

const LABELS: Readonly<Record<string, Style>> = { Error: 'red', Warning: 'yellow', Done: 'green' }

export function labelled(text: string): string {
  return text.replace(/^(Error|Warning|Done):/gm, (label, word: string) =>
    styled(label, LABELS[word] ?? 'bold'),
  )
}

const DONE = /^(?:CLOSED|EXECUTED|SHIPPING_COMPLETED)$/
const FAILED = /^(?:DISCARDED|EXPIRED|FAILED)$|_(?:FAILED|CANCELLED)$/
const STATUS = /^[A-Z][A-Z_]*$/

/** Green for done, red for failed, yellow for under way (spec §3). */
export function statusStyle(status: unknown): Style | undefined {
  if (typeof status !== 'string' || !STATUS.test(status)) return undefined
  if (DONE.test(status)) return 'green'
  return FAILED.test(status) ? 'red' : 'yellow'
}
