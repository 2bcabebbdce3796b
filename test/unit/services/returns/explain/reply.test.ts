import { expect, it } from 'vitest'
import type { Context } from '../../../../../src/lib/cli/context.ts'
import { moneySentences, whereSentences } from '../../../../../src/lib/insight/card.ts'
import type { ReturnFacts } from '../../../../../src/lib/insight/case.ts'
import type { FoundPoint } from '../../../../../src/lib/output/map/point.ts'
import { readReplyWords, replyText } from '../../../../../src/lib/services/returns/explain/reply.ts'
import { moneyLines, situationOf } from '../../../../../src/lib/services/returns/explain/reply-facts.ts'
import {
  REFUND_MODES,
  REFUND_STATUSES,
  REFUND_TYPES,
  TRANSPORTATION_STATUSES,
} from '../../../../../src/lib/wire/enumerations.ts'
import { CUSTOMER_LANGUAGES, languagesOf } from '../../../../../src/lib/wire/geography.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const ANY_TRANSPORT = [...TRANSPORTATION_STATUSES, undefined]
/** States that go together, as the platform moves them. */
const STATES = {
  NEEDS_VALIDATION: [undefined],
  PENDING: ANY_TRANSPORT,
  RECEPTION_IN_PROGRESS: ANY_TRANSPORT,
  RECEPTION_COMPLETED: ['SHIPPING_COMPLETED'],
  RECEIVED: ['SHIPPING_COMPLETED'],
  CHECKED: ['SHIPPING_COMPLETED'],
  CLOSED: ['SHIPPING_COMPLETED', undefined],
  DISCARDED: [undefined, 'SHIPPING_CANCELLED', 'SHIPPING_IN_PROGRESS'],
  EXPIRED: [undefined, 'SHIPPING_CANCELLED', 'SHIPPING_IN_PROGRESS'],
}
const SERVICES = ['drop-off', 'drop-off-store', 'direct', 'pick-up']
const REFUNDS = [
  [],
  ...[...REFUND_TYPES, undefined].flatMap((refundType) =>
    REFUND_MODES.flatMap((refundMode) =>
      REFUND_STATUSES.map((status) => [{ refundType, refundMode, status, amount: 12.5, currency: 'EUR' }]),
    ),
  ),
]
const party = (address: object) => ({
  fullName: 'Ana Ruiz',
  address: { line1: 'Calle 1', city: 'Madrid', ...address },
})

function factsOf(status: string, transport: object | undefined, refunds: object[]) {
  const record = {
    ...{ name: 'R#-A1', shopCode: 'S', status, currency: 'EUR', totalRefund: 12.5 },
    updatedAt: '2026-11-19 10:00:00Z',
    customer: party({ countryCode: 'ES' }),
    destination: party({ countryCode: 'ES', postalCode: '28013' }),
    ecommerceOrder: { id: '7', name: 'A1' },
    returnLineItems: [
      {
        ...{ refundType: 'EXCHANGE', refundMode: 'POST_VALIDATION' },
        exchangeLineItems: [{ productName: 'Shirt', variantName: 'M', quantity: 2 }],
      },
    ],
  }
  return { record, refunds, transportations: transport ? [transport] : [] } as unknown as ReturnFacts
}

const TRANSPORTS = Object.entries(STATES).flatMap(([status, transports]) =>
  transports.flatMap((transportStatus) =>
    SERVICES.flatMap((serviceType) =>
      ['2026-11-18 09:00:00Z', '2026-10-01 09:00:00Z'].map((createdAt) => {
        const isScanned = /PICK_UP_COMPLETED|SHIPPING/.test(transportStatus ?? '')
        const transport = transportStatus && {
          ...{ id: 't1', status: transportStatus, serviceType, createdAt, carrierCode: 'ROYAL_MAIL' },
          carrierTrackingUrl: 'https://track.example/1',
          trackingEvents: isScanned ? [{ status: transportStatus, date: createdAt }] : [],
        }
        return { status, transport: transport || undefined }
      }),
    ),
  ),
)
/** Four refunds for each transport, in turn. */
const ALL = [0, 1, 2, 3].flatMap((round) =>
  TRANSPORTS.map(({ status, transport }, index) =>
    factsOf(status, transport, REFUNDS[(index * 4 + round) % REFUNDS.length] ?? []),
  ),
)

/** One for each situation and one for each line of money: the sentences of one do not depend on the other. */
const EACH = new Set(new Map(ALL.flatMap((facts) => keysOf(facts).map((key) => [key, facts]))).values())

function keysOf(facts: ReturnFacts) {
  const { transport, ...situation } = situationOf(facts, NOW)
  const lines = moneyLines(facts)
  return [
    JSON.stringify([facts.record.status, situation, transport !== undefined, lines.length]),
    JSON.stringify(lines),
  ]
}

const wordsIn = (language: string) => {
  const context = { settings: async () => ({}), paths: { configDir: '/nowhere' } }
  return readReplyWords(language, factsOf('PENDING', undefined, []), context as Context)
}

const messageOf = (words: Awaited<ReturnType<typeof wordsIn>>, facts: ReturnFacts, more: object = {}) =>
  replyText(words, { facts, now: NOW, timeZone: 'UTC', signature: 'Shop', point: undefined, ...more })

it.each(CUSTOMER_LANGUAGES)('a message in %s has whole sentences, none twice', async (language) => {
  const words = await wordsIn(language)
  for (const facts of language === 'en' ? ALL : EACH) {
    const text = messageOf(words, facts)
    const [greeting, ...parts] = text.split('\n\n')
    expect(greeting).toContain('Ana Ruiz')
    expect(parts.pop()).toMatch(/^.+\nShop$/)
    const lines = parts.flatMap((part) => part.split('\n'))
    expect(lines.filter((line) => !/^[^{}]+(?:[.。]|https:\S+\/1)$/u.test(line))).toEqual([])
    expect(new Set(lines).size, text).toBe(lines.length)
    expect(text).not.toMatch(/ {2}| [.,;。、]|undefined|\bnull\b|NaN|[A-Z]{3}_|\(\)|（）/)
    if (moneyLines(facts).some(({ type }) => type !== 'EXCHANGE')) expect(text).toMatch(/12[.,]50/)
    if (moneyLines(facts).some(({ type }) => type === 'EXCHANGE')) expect(text).toContain('2 × Shirt (M)')
  }
})

it.each([
  [
    'its own items, if it lists them',
    [['1'], ['2', '3']],
    ['exchange for Belt on ', 'exchange for Coat and Hat and'],
  ],
  ['no items, if it lists none', [undefined, undefined], ['your exchange on ', 'your exchange and']],
])('a sentence about one of several exchanges names %s', async (_, lines, said) => {
  const { record, ...others } = factsOf('CHECKED', undefined, [])
  const returnLineItems = ['Belt', 'Coat', 'Hat'].map((productName, index) => ({
    ...{ id: `${index + 1}`, refundType: 'EXCHANGE' },
    exchangeLineItems: [{ productName, quantity: 1 }],
  }))
  const refunds = lines.map((ids, index) => ({
    ...{ refundType: 'EXCHANGE', refundMode: 'MANUAL', amount: 5 },
    ...(index === 0 ? { status: 'EXECUTED', executedAt: '2026-11-18 10:00:00Z' } : { status: 'PENDING' }),
    lineItems: ids?.map((returnLineItemId) => ({ returnLineItemId })),
  }))
  const facts = { ...others, record: { ...record, returnLineItems }, refunds } as unknown as ReturnFacts
  const text = messageOf(await wordsIn('en'), facts)
  for (const part of said) expect(text).toContain(part)
})

it.each([
  ['it', '2026-11-11', "da Royal Mail l'11 novembre 2026."],
  ['it', '2026-11-10', 'da Royal Mail il 10 novembre 2026.'],
  ['it', '2026-10-08', "dall'8 ottobre 2026."],
  ['it', '2026-11-01', 'dal 1º novembre 2026.'],
  ['fr', '2026-11-01', 'depuis le 1er novembre 2026.'],
  ['fr', '2026-11-11', 'le 11 novembre 2026.'],
])('a message in %s names the day %s as people there do', async (language, day, said) => {
  const scan = { status: 'SHIPPING_IN_PROGRESS', date: `${day} 09:00:00Z` }
  const transport = {
    id: 't1',
    createdAt: scan.date,
    carrierCode: 'ROYAL_MAIL',
    ...scan,
    trackingEvents: [scan],
  }
  const facts = factsOf('RECEPTION_IN_PROGRESS', transport, [])
  const now = Date.parse('2026-11-12T12:00:00Z')
  expect(messageOf(await wordsIn(language), facts, { now })).toContain(said)
})

it('a message agrees with the card in every state', () => {
  const view = { now: NOW, zone: 'UTC' }
  const ofMoney = {
    done: /, executed/,
    failed: /has failed/,
    now: /due now/,
    later: /, due (?!now)/,
    byHand: /to be refunded by hand/,
  }
  for (const facts of ALL) {
    const [where, money] = [whereSentences(facts, view), moneySentences(facts, view)]
    const { sentence } = situationOf(facts, NOW)
    const [line] = moneyLines(facts)
    expect(money).toMatch(line ? ofMoney[line.state] : /No money went back|not executed: the return is/)
    const isOpen = /^(?:handIn|bring|send|pickUp|onItsWay)/.test(sentence)
    if (isOpen) expect(sentence.endsWith('Late'), `${sentence}: ${where}`).toBe(where.includes('Overdue'))
    if (/^(?:handIn|bring|send)/.test(sentence)) expect(where).toMatch(/^Not handed in yet/)
    if (/^onItsWay/.test(sentence)) expect(where).toMatch(/^(?:On its way|Picked up|No transport)/)
  }
})

it('a card has no line about money where refunds were not read', () => {
  expect(moneyLines({ ...factsOf('CHECKED', undefined, []), refunds: undefined })).toEqual([])
})

it('the card adds up refunds that differ only in their amount', () => {
  const refund = {
    refundType: 'GIFT_CARD',
    refundMode: 'MANUAL',
    status: 'PENDING',
    amount: '0.1',
    currency: 'EUR',
  }
  expect(moneyLines(factsOf('PENDING', undefined, [refund, { ...refund, amount: 0.2 }]))).toEqual([
    expect.objectContaining({ state: 'byHand', amount: '0.3' }),
  ])
})

it.each([
  ['ES', 'closed', "(4,1 km away). It's open on Sunday 09:00–14:00."],
  ['GB', 'always', "(2.5 mi away). It's open day and night."],
])(
  'a customer in %s reads how far the %s point is, and when to go there',
  async (countryCode, state, said) => {
    const { record, ...others } = factsOf('PENDING', undefined, [])
    const facts = { ...others, record: { ...record, customer: party({ countryCode }) } } as ReturnFacts
    const ahead = { isToday: false, weekday: 6, times: '09:00–14:00' }
    const point = {
      record: { address: { line1: 'Quay 1' } },
      name: 'Kiosk',
      distanceKm: 4.06,
      ahead,
      opening: { state },
    } as unknown as FoundPoint
    expect(messageOf(await wordsIn('en'), facts, { point })).toContain(
      `drop-off point is Kiosk, Quay 1 ${said}`,
    )
  },
)

it.each([
  ['en', 'drop-off point is Kiosk (4.1 km away). It'],
  ['de', 'Abgabestelle ist Kiosk (4,1 km entfernt). Sie'],
  ['ja', '最寄りの持ち込み先は Kiosk、約 4.1 km先です。24'],
])('a point without an address is given by name only in %s', async (language, said) => {
  const { record, ...others } = factsOf('PENDING', undefined, [])
  const facts = { ...others, record: { ...record, customer: null } } as unknown as ReturnFacts
  const point = { record: {}, name: 'Kiosk', distanceKm: 4.06, opening: { state: 'always' } }
  const about = { now: NOW, timeZone: 'UTC', signature: 'Shop', point: point as FoundPoint }
  expect(replyText(await wordsIn(language), { facts, ...about })).toContain(said)
})

it.each([
  ['2026-11-19', '2026-11-20T11:59:00Z', 'will be picked up'],
  ['2026-11-19', '2026-11-20T12:01:00Z', "hasn't been picked up yet"],
])('a pick-up on %s is missed at %s only if that day is over everywhere', async (pickupDate, now, said) => {
  const transport = { id: 't1', status: 'REQUESTED', createdAt: '2026-11-18 09:00:00Z', pickupDate }
  const facts = factsOf('PENDING', transport, [])
  const about = { facts, now: Date.parse(now), timeZone: 'UTC', signature: 'Shop', point: undefined }
  expect(replyText(await wordsIn('en'), about)).toContain(said)
})

it('asks for the language of a customer in a mixed region', async () => {
  const facts = factsOf('PENDING', undefined, [])
  const swiss = {
    ...facts,
    record: { ...facts.record, customer: party({ countryCode: 'CH', postalCode: '2502' }) },
  }
  const asked: string[] = []
  const questions = {
    canAsk: true,
    askText: async (question: string) => {
      asked.push(question)
      return 'FR'
    },
  }
  const context = { settings: async () => ({}), paths: { configDir: '/nowhere' }, questions }
  const words = await readReplyWords(undefined, swiss as ReturnFacts, context as unknown as Context)
  expect(words.language).toBe('fr')
  expect(asked).toEqual(['In CH customers speak de or fr. Which one does this customer speak?'])
})

it.each([
  ['ES', '28013', ['es']],
  ['BR', '', ['pt']],
  ['JP', '536-0181', ['ja']],
  ['AT', '', ['de']],
  ['AD', '', ['es']],
  ['CH', '8001', ['de']],
  ['CH', '1201', ['fr']],
  ['CH', '3960', ['fr']],
  ['CH', '6900', ['it']],
  ['CH', '2502', ['de', 'fr']],
  ['CH', '', ['de', 'fr', 'it']],
  ['BE', '4000', ['fr']],
  ['BE', '2000', ['nl']],
  ['BE', '4700', ['de']],
  ['BE', '1000', ['fr', 'nl']],
  ['CA', 'H2X 1Y4', ['fr']],
  ['CA', 'M5V 2T6', ['en']],
  ['CA', 'E1C 1A1', ['en', 'fr']],
  ['ZZ', '', []],
])('a customer in %s %s speaks %j', (country, postalCode, expected) => {
  expect(languagesOf(country, postalCode)).toEqual(expected)
})
