import { at } from '../../wire/raw.ts'
import { assumed, type Check, spec, writing } from '../check.ts'
import { each } from '../observed.ts'
import { once, type World } from '../platform-view.ts'
import { mustAnswer, mustHaveErrors, type ProbeAnswer, seen } from '../probe.ts'
import { OPERATION_PATHS } from './authentication.ts'

const refusals = once(
  async (world: World): Promise<{ to: string; answer: ProbeAnswer }[]> => [
    { to: 'limit=501', answer: await world.returns({ limit: 501 }) },
    {
      to: 'no token',
      answer: await world.send({ method: 'GET', path: '/returns', authorization: () => undefined }),
    },
    { to: 'an unknown return', answer: await world.get('/returns/conformance-no-such-id') },
    { to: 'an unknown path', answer: await world.get('/conformance-no-such-path') },
    { to: 'GET /return_methods', answer: await world.get('/return_methods') },
  ],
)

const failing = async (world: World) => (await refusals(world)).filter(({ answer }) => answer.status >= 400)

/** Form of refusals (spec §7) and of all answers (spec, introduction). */
export const ERROR_CHECKS: readonly Check[] = [
  spec('errors.content-type', '§0', 'Every answer is application/json', async (world) => {
    const answers = [{ to: 'GET /returns', answer: await world.returns() }, ...(await refusals(world))]
    return each(answers, 'answers', ({ to, answer }) => {
      const type = answer.headers['content-type'] ?? 'no content type'
      return /^application\/json\s*(;|$)/i.test(type) ? undefined : `${type} in the answer to ${to}`
    })
  }),
  assumed(
    'errors.form',
    '§7',
    'Every refusal has a list errors of code (two letters and digits) and message',
    async (world) => {
      const words = (await failing(world)).map(({ to, answer }) => mustHaveErrors(answer, to))
      return `${words.length} refusals`
    },
  ),
  assumed('errors.status', '§7', 'The body of a refusal repeats its status', async (world) =>
    each(await failing(world), 'refusals', ({ to, answer }) => {
      const said = at(answer.body, 'status')
      return Number(said) === answer.status ? undefined : `HTTP ${answer.status} to ${to} says status ${said}`
    }),
  ),
  assumed(
    'errors.request-id',
    '§7',
    'The header X-Request-Id and the body of a refusal name the same request',
    async (world) =>
      each(await failing(world), 'refusals', ({ to, answer }) => {
        const [header, said] = [answer.headers['x-request-id'], at(answer.body, 'requestId')]
        return header !== undefined && header === said
          ? undefined
          : `${header ?? 'no header'}, ${said ?? 'nothing in the body'}, in the answer to ${to}`
      }),
  ),
  assumed('errors.unknown-path', '§7', 'A path that there is not is answered with 404', async (world) =>
    mustAnswer(await world.get('/conformance-no-such-path'), 404),
  ),
  ...writing(
    assumed(
      'errors.methods',
      '§7',
      'A method that a path does not take is answered with 405 and Allow, on every path',
      async (world) => {
        const answers: { path: string; answer: ProbeAnswer }[] = []
        for (const path of OPERATION_PATHS) {
          answers.push({ path, answer: await world.send({ method: 'PATCH', path, body: {} }) })
        }
        return each(answers, 'paths', ({ path, answer }) =>
          answer.status === 405 && answer.headers.allow
            ? undefined
            : `${seen(answer)} to PATCH ${path}, ${answer.headers.allow ? '' : 'no '}Allow`,
        )
      },
    ),
  ),
]
