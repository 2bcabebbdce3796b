import { readFileSync } from 'node:fs'
import { searchReturns } from '../../src/lib/mirror/search/search.ts'
import type { MirrorStore } from '../../src/lib/mirror/store/open.ts'

/** Question of a support desk and the return meant: the customer's newest. */
interface Question {
  /** Known facts of the return. */
  by: string
  asks: string
  first: string
}

const FILE = new URL('../fixtures/search/questions.json', import.meta.url)

/** Questions for which the search in a mirror of the demo data ranks another return first. */
export async function wrongAnswers(mirror: MirrorStore): Promise<{ asked: number; wrong: string[] }> {
  const questions: Question[] = JSON.parse(readFileSync(FILE, 'utf8'))
  const wrong: string[] = []
  for (const { by, asks, first } of questions) {
    const [hit] = await searchReturns(mirror.db, { text: asks, limit: 5 })
    if (hit?.record.name !== first) wrong.push(`${by}: ${asks}: ${hit?.record.name}, not ${first}`)
  }
  return { asked: questions.length, wrong }
}
