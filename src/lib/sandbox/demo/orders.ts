export const SPAN_SECONDS = 400 * 86_400
/** Every 25th return is the second one of an order that was made some days before. */
const SECOND_EVERY = 25

/** Index of the order's first return. */
export function indexOfFirst(returns: number, index: number): number {
  if (index % SECOND_EVERY !== SECOND_EVERY - 1) return index
  const first = index - distance(returns)
  return first < 0 ? index : first
}

/** Index of the order's second return, if there is one. */
export function indexOfSecond(returns: number, index: number): number | undefined {
  const second = index + distance(returns)
  return second < returns && indexOfFirst(returns, second) === index ? second : undefined
}

/** Never to the position of a second return, and never to one that is the first of two already. */
function distance(returns: number): number {
  return 7 + Math.round((returns * 3 * 86_400) / SPAN_SECONDS) * SECOND_EVERY
}
