import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { AppError } from '../../../../src/lib/errors.ts'
import { readScenario, scenarioSchema } from '../../../../src/lib/sandbox/scenarios/scenario.ts'
import { jsonText } from '../../../helpers/json-text.ts'

const create = { do: 'create', as: 'r', shop: 'LUMBRE-ES', orderName: 'S1' }

function mistakes(document: unknown) {
  try {
    readScenario(document, ['LUMBRE-ES', 'FJORD-SE'])
    return []
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.details.map(({ path, message }) => `${path ?? ''}: ${message}`)
  }
}

it('the JSON Schema in docs/sandbox/scenarios is that of scenarios', async () => {
  const schema = z.toJSONSchema(scenarioSchema, { io: 'input' })
  const text = jsonText({ ...schema, title: 'Scenario of the sandbox' })
  await expect(text).toMatchFileSnapshot(
    join(import.meta.dirname, '../../../../docs/sandbox/scenarios/schema.json'),
  )
})

it.each([
  [{ do: 'check', return: 'r', retrun: 'r' }, 'steps[1]: knows no "retrun"; did you mean return?'],
  [{ do: 'check' }, 'steps[1].return: is missing'],
  [{ do: 'check', return: 5 }, 'steps[1].return: must be of type string'],
  [{ do: 'check', return: 'q' }, 'steps[1].return: no step before makes a return "q"; there is r'],
  [{ do: 'check', return: 'R#-1' }, 'steps[1].return: must be a letter, then letters'],
  [
    { do: 'chek', return: 'r' },
    'steps[1].do: must be one of create, approve, discard, receive, check, close, ',
  ],
  [{ return: 'r' }, 'steps[1].do: is missing'],
  [{ do: 'track', return: 'r' }, 'steps[1].trackingStatus: is missing'],
  [{ do: 'track', return: 'r', trackingStatus: 'SHIPPING_IN_PROGRES' }, 'did you mean SHIPPING_IN_PROGRESS?'],
  [{ do: 'advance', by: '0d' }, 'steps[1].by: must be a duration such as 30m, 12h, 3d or 2w'],
  [{ do: 'expect', return: 'r', status: 'DONE' }, 'steps[1].status: must be one of PENDING, '],
  [{ do: 'expect', return: 'r', events: ['LOST'] }, 'steps[1].events[0]: '],
  [{ do: 'expect', return: 'r', refunds: [{ state: 'PENDING' }] }, 'steps[1].refunds[0]: knows no "state"'],
  [{ do: 'expect', return: 'r', refused: 'x' }, 'steps[1]: knows no "refused"'],
  [create, 'steps[1].as: "r" is another return already'],
  [{ ...create, as: 'q', shop: 'LUMBRE' }, 'steps[1].shop: the sandbox has no shop "LUMBRE"; use '],
  [{ ...create, as: 'q', lines: [] }, 'steps[1].lines: must not be empty'],
  [{ ...create, as: 'q', lines: [{ quantity: 0.5 }] }, 'steps[1].lines[0].quantity: must be '],
  [{ ...create, as: 'q', lines: [{ price: -1 }] }, 'steps[1].lines[0].price: must not be negative'],
])('%j is a mistake', (step, message) => {
  const [first, ...others] = mistakes({ steps: [create, step] })
  expect(first).toContain(message)
  expect(others).toEqual([])
})

it('a bad scenario is refused with all mistakes at once', () => {
  const steps = [{ do: 'check', return: 'q', refunds: 1 }, 'check', { ...create, orderName: ' ' }]
  expect(mistakes({ step: [], steps })).toEqual([
    'steps[0]: knows no "refunds"',
    'steps[1]: must be of type object',
    'steps[2].orderName: must not be blank',
    ': knows no "step"; did you mean steps?',
    'steps[0].return: no step before makes a return "q"; there is none yet',
  ])
  expect(mistakes({ steps: [] })).toEqual(['steps: must not be empty'])
  expect(mistakes({})).toEqual(['steps: is missing'])
  for (const document of [null, [], 'steps', 3])
    expect(mistakes(document)).toEqual([': must be of type object'])
})
