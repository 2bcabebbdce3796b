import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { SHOPS as shops } from '../../../../src/lib/sandbox/demo/catalogue.ts'
import { BUILT_IN_RULES } from '../../../../src/lib/sandbox/methods/rule-book.ts'
import { readRules, ruleFileSchema } from '../../../../src/lib/sandbox/methods/rules.ts'
import { jsonFile } from '../../../helpers/files.ts'
import { jsonText } from '../../../helpers/json-text.ts'
import { valuesOf } from '../../../helpers/values-of.ts'

const docs = join(import.meta.dirname, '../../../../docs/sandbox/rules')
const servicesOf = (code: string) =>
  shops.find((shop) => shop.code === code)?.services.map(({ carrierServiceCode }) => carrierServiceCode) ?? []

const copy = () => structuredClone(BUILT_IN_RULES['LUMBRE-ES']!)

/** Puts a value at a path of the rules of Lumbre, and names the mistakes then. */
function mistakes(path: (string | number)[], value: unknown) {
  const file = copy()
  const last = path.at(-1) ?? ''
  const parent = path.slice(0, -1).reduce((at, step) => Reflect.get(at, step), file)
  if (value === undefined) Reflect.deleteProperty(parent, last)
  else Reflect.set(parent, last, value)
  const found = readRules(JSON.parse(JSON.stringify(file)), servicesOf('LUMBRE-ES'))
  return found.problems.map((one) => `${one.path}: ${one.message}`)
}

it.each(valuesOf(shops, 'code'))(
  'built-in rules of %s have no mistake, real carrier services, and use all of them',
  (code) => {
    const { problems, rules } = readRules(BUILT_IN_RULES[code], servicesOf(code))
    expect(problems).toEqual([])
    expect(Object.keys(rules?.services ?? {}).sort()).toEqual(servicesOf(code).sort())
    expect([...new Set(rules?.methods.map(({ service }) => service))].sort()).toEqual(servicesOf(code).sort())
  },
)

it.each(valuesOf(shops, 'code'))(
  'built-in rules of %s are shown in docs/sandbox/rules as they are',
  async (code) => {
    const file = { $schema: './return-rules.schema.json', ...BUILT_IN_RULES[code] }
    await expect(jsonText(file)).toMatchFileSnapshot(join(docs, `${code}.json`))
    expect(readRules(jsonFile(join(docs, `${code}.json`)), servicesOf(code)).rules).toBeDefined()
  },
)

it('the JSON Schema in docs/sandbox/rules is that of the rules', async () => {
  const schema = z.toJSONSchema(ruleFileSchema, { io: 'input' })
  const document = { ...schema, title: 'Return methods of a shop' }
  await expect(jsonText(document)).toMatchFileSnapshot(join(docs, 'return-rules.schema.json'))
})

it.each([
  [['window'], undefined, 'window: is missing'],
  [['window', 'days'], '30', 'window.days: must be of type number'],
  [['window', 'day'], 1, 'window: knows no "day"'],
  [['method'], [], 'the file: knows no "method"'],
  [
    ['services', 'CORREOS_RETURN', 'countries', 1],
    'Portugal',
    'services.CORREOS_RETURN.countries[1]: must be an ISO country code',
  ],
  [
    ['services', 'COREOS_RETURN'],
    { name: 'x', countries: ['ES'] },
    'services.COREOS_RETURN: there is no carrier service of this shop "COREOS_RETURN"; is CORREOS_RETURN meant?',
  ],
  [['methods', 0, 'service'], 'STORE', 'methods[0].service: there is no service under "services" "STORE"'],
  [['methods', 1, 'code'], 'STORE', 'methods[1].code: STORE is the code of another method already'],
  [['methods', 1, 'serviceType'], 'post', 'methods[1].serviceType: must be one of drop-off, pick-up'],
  [['methods', 1, 'refundMode'], 'NOW', 'methods[1].refundMode: must be one of PRE_VALIDATION'],
  [['methods', 1, 'fees'], [], 'methods[1].fees: '],
  [
    ['methods', 1, 'fees', 0, 'amounts', 'EUR'],
    4.95,
    'methods[1].fees[0].amounts.EUR: must be an amount such as "4.95"',
  ],
  [
    ['methods', 1, 'fees', 0, 'amounts', 'EUR'],
    '4.955',
    'methods[1].fees[0].amounts.EUR: 4.955 has more decimals than EUR has, which is 2',
  ],
  [
    ['methods', 1, 'fees', 0, 'amounts', 'JPY'],
    '4.5',
    'methods[1].fees[0].amounts.JPY: 4.5 has more decimals than JPY has, which is 0',
  ],
  [
    ['methods', 0, 'promotions', 0, 'amounts'],
    undefined,
    'methods[0].promotions[0]: a fixed coupon needs "amounts"',
  ],
  [
    ['methods', 0, 'promotions', 0, 'promoType'],
    'DISCOUNT_COUPON_PERCENTAGE',
    'methods[0].promotions[0]: a coupon in percent needs "percent"',
  ],
  [
    ['methods', 0, 'destination'],
    [{ to: 'GETAFFE' }],
    'methods[0].destination[0].to: there is no location "GETAFFE"; is GETAFE meant?',
  ],
  [
    ['destination', 2],
    { countries: ['ES'], to: 'GETAFE' },
    'destination[2]: the last one has to be for all the rest',
  ],
])('a rule file with %j = %j is refused by path', (path, value, message) => {
  expect(mistakes(path, value).join('\n')).toContain(message)
})

it('all mistakes of a rule file are named at once', () => {
  const file = { ...copy(), window: {}, destination: [], extra: 1 }
  expect(readRules(file, servicesOf('LUMBRE-ES')).problems).toHaveLength(3)
})

it.each([null, [], 'rules', 3])('%j is no rule file', (input) => {
  expect(readRules(input, []).problems[0]?.path).toBe('the file')
})
