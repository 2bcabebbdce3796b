import type { Context } from '../../cli/context.ts'
import type { OpenPoint, Said } from '../../mappings/detect.ts'

/** More wrong answers than that leave the point open. */
const ATTEMPTS = 3

/** Asks one more question. The answers stay the same if it stays open. */
export async function askPoint(
  questions: Pick<Context['questions'], 'askText'>,
  point: OpenPoint,
  said: Said,
): Promise<Said> {
  const answer = await chosen(questions, point)
  if (answer === undefined) return said
  if (point.kind === 'date') return { ...said, dateFormat: answer }
  const field = point.kind === 'column' ? 'columns' : 'statuses'
  return { ...said, [field]: { ...said[field], [point.of]: answer } }
}

/** One of the choices, by number or word; undefined for Enter alone. */
async function chosen(
  questions: Pick<Context['questions'], 'askText'>,
  { kind, what, choices }: OpenPoint,
): Promise<string | undefined> {
  const list = choices.map((choice, at) => `  ${at + 1}  ${choice}\n`).join('')
  const form = list === '' ? 'as DD.MM.YYYY HH:mm' : `1-${choices.length}`
  const question = `Can't tell ${what}.\n${list}${PROMPTS[kind]} (${form}, Enter leaves it open):`
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const answer = await questions.askText(
      attempt === 0 ? question : `${form}, or Enter:`,
      'nothing was written',
    )
    if (answer === '') return undefined
    if (list === '') return answer
    const byNumber = choices[Number(answer) - 1]
    const found = byNumber ?? choices.find((choice) => choice.toLowerCase() === answer.toLowerCase())
    if (found !== undefined) return found
  }
  return undefined
}

const PROMPTS: Readonly<Record<OpenPoint['kind'], string>> = {
  column: 'Which one is it?',
  status: 'What does it stand for?',
  date: 'Which one is it?',
}
