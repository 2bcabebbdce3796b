import { AppError } from '../../errors.ts'

/** `skip`: there was nothing to look at, or it can't be known. */
export type Health = 'ok' | 'found' | 'skip'

export interface Finding {
  verdict: Health
  /** One line. */
  observed: string
  /** Next commands, or steps to take by hand. */
  remedies: readonly string[]
}

export interface Examination {
  /** `network.tls`: area and subject. Stable: scripts name it. */
  id: string
  /** @throws AppError for what is wrong, with its remedies as hints */
  look(): Promise<Finding>
}

export interface Examined extends Finding {
  id: string
  durationMs: number
}

/** Time after which a check counts as failed. */
const PATIENCE_MS = 10_000

export const well = (observed: string): Finding => ({ verdict: 'ok', observed, remedies: [] })
export const skipped = (observed: string): Finding => ({ verdict: 'skip', observed, remedies: [] })
export const found = (observed: string, ...remedies: string[]): Finding => ({
  verdict: 'found',
  observed,
  remedies,
})

/** Joins the problems into one finding; returns `otherwise` without problems. */
export function allOf(problems: readonly (Finding | undefined)[], otherwise: Finding): Finding {
  const there = problems.flatMap((problem) => problem ?? [])
  if (there.length === 0) return otherwise
  return found(
    there.map(({ observed }) => observed).join('; '),
    ...new Set(there.flatMap(({ remedies }) => remedies)),
  )
}

/** All side by side, each within its time, in the order given. */
export async function* examine(
  examinations: readonly Examination[],
  now: () => number,
): AsyncGenerator<Examined> {
  const startedAt = now()
  const looks = examinations.map(async ({ id, look }) => {
    const finding = await withinPatience(look)
    return { id, ...finding, durationMs: Math.max(0, now() - startedAt) }
  })
  // One that fails by a fault of our own is thrown in its turn, not before.
  for (const look of looks) look.catch(() => {})
  for (const look of looks) yield await look
}

async function withinPatience(look: Examination['look']): Promise<Finding> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Finding>((resolve) => {
    const words = `no end within ${PATIENCE_MS / 1000} s`
    timer = setTimeout(() => resolve(found(words, 'run it again with -v to see where it waits')), PATIENCE_MS)
  })
  try {
    return await Promise.race([look(), late])
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === 'interrupted' || error.kind === 'bug') throw error
    return failed(error)
  } finally {
    clearTimeout(timer)
  }
}

/** A failure as what was found. */
export function failed({ message, details, hints }: AppError): Finding {
  const more = details.map(({ path, message: text }) => (path === undefined ? text : `${path} ${text}`))
  return found([message.replace(/\.$/, ''), ...more].join('; '), ...hints)
}
