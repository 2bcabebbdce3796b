import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { BUILT_IN_RULES } from '../../src/lib/sandbox/methods/rule-book.ts'
import type { FeeRule, MethodRule, RuleFile } from '../../src/lib/sandbox/methods/rules.ts'
import { testWords } from '../../src/lib/sandbox/methods/subject.ts'
import { markdownTable } from '../helpers/markdown-table.ts'
import { root } from '../helpers/run-cli.ts'

const PAGE = join(root, 'docs/sandbox/return-rules.md')
const SHOWN = ['LUMBRE-ES']
const ANY = '·'
const NOT_OFFERED = '–'

const words = (list: readonly string[] | undefined) => list?.join(', ') ?? ANY

function requestWords({
  countries,
  tiers,
  reasons,
}: Pick<FeeRule, 'countries' | 'tiers' | 'reasons'>): string {
  return [countries, tiers, reasons].flatMap((list) => (list ? list.join(', ') : [])).join('; ')
}

function servicesTable({ services }: RuleFile): string {
  const rows = Object.entries(services).map(([code, { name, countries, exceptPostalCodes = {} }]) => [
    code,
    name,
    words(countries),
    Object.entries(exceptPostalCodes)
      .map(([country, starts]) => `${country} ${starts.map((start) => `${start}…`).join(' ')}`)
      .join('; ') || ANY,
  ])
  return markdownTable(['Carrier service', 'Carrier', 'Countries', 'But for'], rows)
}

function conditionsOf(rule: MethodRule): string {
  const { serviceType, isLabelFree, countries, tiers, only, excluded, window, visible } = rule
  const parts = [
    isLabelFree ? `${serviceType}, no label` : serviceType,
    ...(visible === false ? ['hidden'] : []),
    ...(countries ? [`from ${words(countries)}`] : []),
    ...(tiers ? [`for ${words(tiers)}`] : []),
    ...(window ? [`${window.days} days`] : []),
    ...(only ? [`only ${only.map(testWords).join('; ')}`] : []),
    ...(excluded ? [`not ${excluded.map(testWords).join('; ')}`] : []),
  ]
  return parts.join('; ')
}

function refundWords({ refundModes = [], refundMode }: MethodRule): string {
  return [...refundModes.map((each) => `${requestWords(each)}: ${each.mode}`), refundMode].join('; ')
}

function promotionWords({ promotions = [] }: MethodRule): string {
  const words = promotions.map((each) => {
    const amounts = Object.entries(each.amounts ?? {}).map(([code, amount]) => `${amount} ${code}`)
    const value = each.percent === undefined ? amounts.join(', ') : `${each.percent} %`
    return [requestWords(each), each.promoType, value].filter(Boolean).join(' ')
  })
  return words.join('; ') || ANY
}

function methodsTable({ methods }: RuleFile): string {
  const rows = [...methods]
    .sort((a, b) => a.priority - b.priority)
    .map((rule) => [rule.code, rule.service, conditionsOf(rule), refundWords(rule), promotionWords(rule)])
  const headers = ['Method', 'Carrier service', 'Type', 'Refund', 'Promotions']
  return markdownTable(headers, rows)
}

function feesTable({ methods }: RuleFile): string {
  const rules = methods.flatMap(({ code, fees }) => fees.map((fee) => ({ code, fee })))
  const currencies = [...new Set(rules.flatMap(({ fee }) => Object.keys(fee.amounts)))]
  const rows = rules.map(({ code, fee }) => [
    code,
    words(fee.countries),
    words(fee.tiers),
    words(fee.reasons),
    ...currencies.map((currency) => amountWords(fee, currency)),
  ])
  return markdownTable(['Method', 'Countries', 'Tiers', 'Reasons', ...currencies], rows)
}

function amountWords({ amounts, by = 'totalPaid', perUnit }: FeeRule, currency: string): string {
  const amount = amounts[currency]
  if (amount === undefined) return NOT_OFFERED
  const unit = perUnit ? ' a unit' : ''
  if (typeof amount === 'string') return `${amount}${unit}`
  const steps = amount.map(({ from, fee }) => (from === '0' ? fee : `${fee} from ${from}`))
  return `${steps.join(', ')}${unit} (${by})`
}

function destinationLines({ destination, locations }: RuleFile): string[] {
  return destination.map(({ vendors, fulfillmentCenters, countries, to }) => {
    const tests = [
      ...(countries ? [`from ${words(countries)}`] : []),
      ...(vendors ? [`all items by ${vendors.join(' or ')}`] : []),
      ...(fulfillmentCenters ? [`all items sent from ${words(fulfillmentCenters)}`] : []),
    ]
    return `  - ${tests.join(', ') || 'else'}: ${to} (${locations[to]?.city})`
  })
}

function section(code: string): string {
  const rules = BUILT_IN_RULES[code]!
  const { days, items = [] } = rules.window
  const windows = [
    ...items.map(({ days: own, ...test }) => `${testWords(test)}: ${own} days`),
    `else ${days} days`,
  ]
  return [
    `### ${code}`,
    '',
    rules.about,
    '',
    '- Window after the delivery:',
    ...windows.map((window) => `  - ${window}`),
    `- Never taken back: ${(rules.excluded ?? []).map(testWords).join('; ')}`,
    '- Sent to:',
    ...destinationLines(rules),
    '',
    servicesTable(rules),
    '',
    'Methods by priority:',
    '',
    methodsTable(rules),
    '',
    'The first fee that fits counts; – is not offered:',
    '',
    feesTable(rules),
    '',
  ].join('\n')
}

/** The page below the mark is drawn from the sandbox's rules; `npx vitest run -u` draws it anew. */
it('docs/sandbox/return-rules.md shows the decisions of the built-in rules of a shop', async () => {
  const mark = '<!-- drawn from the rules by test/surface/return-rules-page.test.ts -->'
  const [prose = ''] = readFileSync(PAGE, 'utf8').split(mark)
  expect(prose).toContain('# Return rules')
  await expect(`${prose}${mark}\n\n${SHOWN.map(section).join('\n')}`).toMatchFileSnapshot(PAGE)
})
