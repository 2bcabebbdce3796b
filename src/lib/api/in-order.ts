/** Results that are ready and wait for an earlier one; beyond it, no more work is begun. */
const MAX_AHEAD = 512

/** Works on several items at once and gives the results in the items' order. `work` must not reject lightly: it ends all. */
export async function* inOrder<I, O>(
  items: Iterable<I>,
  concurrency: number,
  work: (item: I) => Promise<O>,
): AsyncGenerator<O, void, undefined> {
  const rest = items[Symbol.iterator]()
  const waiting: Promise<O>[] = []
  let running = 0
  let isOver = false
  const startMore = () => {
    while (!isOver && running < concurrency && waiting.length < MAX_AHEAD) {
      const next = rest.next()
      if (next.done) {
        isOver = true
        return
      }
      running += 1
      const result = work(next.value).finally(() => {
        running -= 1
        startMore()
      })
      // An error is met when its turn comes; until then it must not count as unhandled.
      result.catch(() => {
        isOver = true
      })
      waiting.push(result)
    }
  }
  try {
    startMore()
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const result = await next
      startMore()
      yield result
    }
  } finally {
    isOver = true
  }
}
