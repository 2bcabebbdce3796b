import Big from 'big.js'
import { expect, it } from 'vitest'
import type { ReturnFacts } from '../../../src/lib/insight/case.ts'
import { reconcile } from '../../../src/lib/insight/reconcile.ts'
import type { Refund } from '../../../src/lib/wire/refunds.ts'
import { factsIn } from '../../helpers/return-facts.ts'
import { testSandbox } from '../../helpers/sandbox-client.ts'

const { sandbox } = await testSandbox({ returns: 500 })
const all = await factsIn(sandbox)

const [facts = expect.fail('no demo data')] = all
const [line = expect.fail('no items')] = facts.record.returnLineItems

type Facts = ReturnFacts & { refunds: Refund[] }
const copyOf = (facts: ReturnFacts): Facts => ({
  ...structuredClone(facts),
  refunds: structuredClone([...(facts.refunds ?? [])]),
})
const isSound = ({ refunds = [] }: ReturnFacts) => refunds.every(({ status }) => status !== 'FAILED')
const executedIn = ({ refunds }: Facts) => refunds.find(({ status }) => status === 'EXECUTED')
const openIn = ({ refunds }: Facts) =>
  refunds.find(({ status, refundMode }) => status === 'PENDING' && refundMode !== 'MANUAL')
const plus = (amount: unknown, more: number | string) => Number(new Big(String(amount)).plus(more))
const linesOf = ({ record }: Facts, refund: Refund) =>
  record.returnLineItems.filter(({ id }) => refund.lineItems?.some((share) => share.returnLineItemId === id))

/** `kind currency difference`, or `kind expected → actual`. */
const told = (facts: ReturnFacts) =>
  reconcile(facts).map(({ kind, currency, expected, actual, difference }) =>
    difference === undefined ? `${kind} ${expected} → ${actual}` : `${kind} ${currency} ${difference}`,
  )
const unpaid = (facts: Facts, refund: Refund) =>
  linesOf(facts, refund).map((line) => `not-refunded ${line.currency} ${-Number(line.returnAmount)}`)
/** Refund that has to be executed: neither paid by hand nor called off. */
const isOwed = ({ record }: Facts, refund: Refund) =>
  refund.refundMode !== 'MANUAL' && !['EXPIRED', 'DISCARDED'].includes(String(record.status))

const TOO_EARLY = 'too early'
/** Each breaks one executed refund (an open one, if it comes too early), or the record, and tells what has to be found; undefined where it can't be done. */
const ERRORS: Record<string, (facts: Facts, refund: Refund) => string[] | undefined> = {
  'a cent too much': (_facts, refund) => {
    refund.amount = plus(refund.amount, '0.01')
    return [`refund ${refund.currency} 0.01`]
  },
  "a cent too little in the shop's currency": (_facts, refund) => {
    if (refund.baseCurrency === refund.currency) return
    refund.baseAmount = plus(refund.baseAmount, '-0.01')
    return [`refund ${refund.baseCurrency} -0.01`]
  },
  'no fee taken': (_facts, refund) => {
    const fee = refund.fee
    if (!Number(fee)) return
    refund.amount = plus(refund.amount, String(fee))
    refund.fee = 0
    return [`fee ${refund.currency} -${fee}`]
  },
  'the fee taken twice': (_facts, refund) => {
    const fee = refund.fee
    if (!Number(fee)) return
    refund.amount = plus(refund.amount, `-${fee}`)
    refund.fee = plus(fee, String(fee))
    return [`fee ${refund.currency} ${fee}`]
  },
  "another fee in the shop's currency": (_facts, refund) => {
    if (!Number(refund.baseFee)) return
    refund.baseFee = plus(refund.baseFee, '0.02')
    refund.baseAmount = plus(refund.baseAmount, '-0.02')
    return [`fee ${refund.baseCurrency} 0.02`]
  },
  'less for a line': (_facts, refund) => {
    const [share] = refund.lineItems ?? []
    if (!share) return
    share.amount = plus(share.amount, '-1')
    refund.amount = plus(refund.amount, '-1')
    return [`line ${refund.currency} -1`]
  },
  "one line's money for another": (_facts, refund) => {
    const [one, other] = refund.lineItems ?? []
    if (!one || !other) return
    one.amount = plus(one.amount, '5')
    other.amount = plus(other.amount, '-5')
    return [`line ${refund.currency} 5`, `line ${refund.currency} -5`]
  },
  'never executed': (facts, refund) => {
    if (!isOwed(facts, refund)) return
    facts.refunds = facts.refunds.filter((one) => one !== refund)
    return unpaid(facts, refund)
  },
  'still open': (facts, refund) => {
    if (!isOwed(facts, refund)) return
    refund.status = 'PENDING'
    return unpaid(facts, refund)
  },
  failed: (facts, refund) => {
    if (!isOwed(facts, refund)) return
    refund.status = 'FAILED'
    return unpaid(facts, refund)
  },
  'executed twice': (facts, refund) => {
    facts.refunds.push({ ...refund, id: `${refund.id}-again` })
    return linesOf(facts, refund).map((line) => `twice ${line.currency} ${line.returnAmount}`)
  },
  [TOO_EARLY]: (facts, refund) => {
    refund.status = 'EXECUTED'
    return linesOf(facts, refund).map((line) => `not-due ${line.currency} ${line.returnAmount}`)
  },
  'another currency': (_facts, refund) => {
    const was = refund.currency
    refund.currency = 'XAU'
    return [`currency ${was} → XAU`]
  },
  'another currency of the shop': (_facts, refund) => {
    const was = refund.baseCurrency
    refund.baseCurrency = 'XAG'
    return [`currency ${was} → XAG`]
  },
  'a gift card instead': (facts, refund) => {
    const was = refund.refundType
    refund.refundType = was === 'GIFT_CARD' ? 'STORE_CREDIT' : 'GIFT_CARD'
    return linesOf(facts, refund).map(() => `type ${was} → ${refund.refundType}`)
  },
  "another return's refund": (facts, refund) => {
    facts.refunds.push({ ...refund, id: 'x', returnId: '1' })
    return [`foreign return ${facts.record.id} → return 1`]
  },
  'a line that is not there': (facts, refund) => {
    facts.refunds.push({ ...refund, id: 'x', lineItems: [{ returnLineItemId: 'gone', amount: 1 }] })
    return ['foreign lines of the return → line gone']
  },
  'a wrong total': ({ record }) => {
    record.totalReturnAmount = plus(record.totalReturnAmount, '0.1')
    record.totalRefund = plus(record.totalRefund, '0.1')
    return [`total ${record.currency} 0.1`]
  },
  'a wrong difference': ({ record }) => {
    record.totalRefund = plus(record.totalRefund, '-0.01')
    return [`total ${record.currency} -0.01`]
  },
  "a wrong difference in the shop's currency": ({ record }) => {
    record.baseTotalRefund = plus(record.baseTotalRefund, '1e2')
    return [`total ${record.baseCurrency} 100`]
  },
}

it('reconcile finds each of 200 seeded errors, and no others', () => {
  const kinds = Object.entries(ERRORS)
  const seeded = new Map<number, string[]>()
  const counts = new Map(kinds.map(([name]) => [name, 0]))
  const mixed = all.filter(isSound).map((facts, index) => {
    // The error that was seeded least and can be made of this return.
    const order = [...kinds].sort(([a], [b]) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0))
    for (const [name, breakIt] of order) {
      if ((counts.get(name) ?? 0) === 10) break
      const broken = copyOf(facts)
      const refund = name === TOO_EARLY ? openIn(broken) : executedIn(broken)
      const expected = refund && breakIt(broken, refund)
      if (!expected) continue
      counts.set(name, (counts.get(name) ?? 0) + 1)
      seeded.set(index, expected)
      return broken
    }
    return facts
  })
  expect(
    [...counts.values()].reduce((sum, count) => sum + count, 0),
    JSON.stringify([...counts]),
  ).toBe(200)
  expect(mixed.length).toBeGreaterThan(400)
  const found = new Map(
    mixed.flatMap((facts, index) => {
      const differences = told(facts)
      return differences.length > 0 ? [[index, differences] as const] : []
    }),
  )
  expect(found).toEqual(seeded)
})

it('reconcile finds the failed refunds of the demo data, with the return, line and reason', () => {
  const failed = all.filter((facts) => !isSound(facts))
  expect(failed.length).toBeGreaterThan(2)
  const owed = failed.filter((facts) => reconcile(facts).length > 0)
  for (const { record } of failed.filter((facts) => !owed.includes(facts))) {
    expect(['EXPIRED', 'DISCARDED']).toContain(record.status)
  }
  const [facts] = owed
  const [difference] = facts ? reconcile(facts) : []
  expect(difference).toEqual({
    name: facts?.record.name,
    id: facts?.record.id,
    shop: facts?.record.shopCode,
    kind: 'not-refunded',
    line: expect.any(String),
    refund: undefined,
    currency: facts?.record.currency,
    expected: expect.stringMatching(/^\d+(\.\d\d?)?$/),
    actual: '0',
    difference: expect.stringMatching(/^-\d+/),
    why: expect.stringMatching(/^[A-Z_]+ is due$/),
  })
})

it.each([undefined, 'COMPLETED', 'executed'])('a dated refund of the status %s is not missing', (status) => {
  const sound = all.filter(isSound).map((facts) => {
    const { refunds, ...others } = copyOf(facts)
    return {
      ...others,
      refunds: refunds.map((one) => ({ ...one, status: one.executedAt ? status : one.status })),
    }
  })
  expect(sound.flatMap((facts) => told(facts as ReturnFacts))).toEqual([])
})

it('refunds that list no lines are compared in all with the refund of the return', () => {
  const unlisted = (facts: ReturnFacts, change: (refund: Refund) => object) => {
    const refunds = copyOf(facts).refunds.map((one) => ({ ...one, lineItems: undefined, ...change(one) }))
    return told({ ...facts, refunds })
  }
  const sound = all.filter(isSound)
  expect(sound.flatMap((facts) => unlisted(facts, () => ({})))).toEqual([])
  const paid = sound.filter((facts) => copyOf(facts).refunds.every(({ status }) => status === 'EXECUTED'))
  const due = paid.find(({ record, refunds }) => record.status === 'CLOSED' && refunds?.length === 1)
  if (!due) throw new Error('no closed return')
  const { currency } = due.record
  for (const more of [100, -1]) {
    const change = ({ amount }: Refund) => ({ amount: plus(amount, more) })
    expect(unlisted(due, change)).toEqual([`refund ${currency} ${more}`])
  }
  const byHand = due.record.returnLineItems.map((one) => ({ ...one, refundMode: 'MANUAL' as const }))
  const open = { ...due, record: { ...due.record, returnLineItems: byHand } }
  expect(unlisted(open, ({ amount }) => ({ amount: plus(amount, -1) }))).toEqual([])
})

it('reconcile compares only what was sent: sums without refunds, nothing without amounts', () => {
  const unread = { ...copyOf(facts), refunds: undefined }
  expect(reconcile(unread)).toEqual([])
  const { name, shopCode, ...rest } = facts.record
  const bare = { name, shopCode, status: rest.status, returnLineItems: null }
  expect(reconcile({ record: JSON.parse(JSON.stringify(bare)), refunds: [] })).toEqual([])
  expect(reconcile({ record: { ...facts.record, totalRefund: 'twelve' }, refunds: undefined })).toEqual([])
})

it('open refunds may bear the fee, but no more than it in total', () => {
  const lines = ['1', '2'].map((id) => ({ ...line, id, returnAmount: 20, refundMode: 'INSTANT' as const }))
  const totals = { totalReturnAmount: 40, totalReturnFee: 5, totalRefund: 35 }
  const record = { ...facts.record, ...totals, status: 'EXPIRED' as const, returnLineItems: lines }
  const feesOf = (fee: number) => {
    const lineItems = [{ returnLineItemId: '1', amount: 20 }]
    const refund = { status: 'EXECUTED' as const, amount: 20 - fee, fee, lineItems }
    return told({ record, refunds: [refund] }).filter((difference) => !difference.startsWith('total'))
  }
  expect([feesOf(0), feesOf(5), feesOf(6)]).toEqual([[], [], [`fee ${record.currency} 1`]])
})

it('refunds of an item paid in parts are added up, and each is judged', () => {
  const bought = {
    id: '1',
    quantity: 2,
    returnAmount: 20,
    baseReturnAmount: 40,
    refundMode: 'POST_VALIDATION',
  }
  const totals = {
    totalReturnAmount: 20,
    totalReturnFee: 4,
    totalRefund: 16,
    currency: 'EUR',
    baseCurrency: 'PLN',
  }
  const base = { baseTotalReturnAmount: 40, baseTotalReturnFee: 8, baseTotalRefund: 32 }
  const part = (share: number, fee: number, amount: number, more = {}) => ({
    ...{
      status: 'EXECUTED' as const,
      currency: 'EUR',
      fee,
      amount,
      baseFee: 2 * fee,
      baseAmount: 2 * amount,
    },
    ...{ lineItems: [{ returnLineItemId: '1', amount: share }], ...more },
  })
  const toldOf = (status: 'CHECKED' | 'PENDING', ...refunds: object[]) => {
    const returnLineItems = [{ ...line, ...bought, currency: 'EUR', refundType: 'GIFT_CARD' }]
    const record = { ...facts.record, ...totals, ...base, status, returnLineItems } as ReturnFacts['record']
    return told({ record, transportations: [], refunds: refunds as Refund[] })
  }
  expect(toldOf('CHECKED', part(10, 2, 8), part(10, 2, 8))).toEqual([])
  expect(toldOf('CHECKED', part(10, 4, 6), part(10, 0, 1000))).toEqual(['refund EUR 990'])
  expect(toldOf('CHECKED', part(10, 4, 6), part(9, 0, 9))).toEqual(['line EUR -1'])
  const third = part(10, 2, 8)
  expect(toldOf('CHECKED', part(10, 2, 8), part(10, 2, 8), third)).toEqual(['twice EUR 10'])
  expect(toldOf('PENDING', part(10, 4, 6), part(10, 0, 10))).toEqual(['not-due EUR 20'])
  const asCredit = part(10, 0, 10, { refundType: 'STORE_CREDIT' })
  expect(toldOf('CHECKED', part(10, 4, 6), asCredit)).toEqual(['type GIFT_CARD → STORE_CREDIT'])
  const inPounds = part(10, 0, 10, { currency: 'GBP' })
  expect(toldOf('CHECKED', part(10, 4, 6), inPounds)).toEqual(['currency EUR → GBP'])
})

it('reconcile computes with every digit', () => {
  const amounts = { totalReturnAmount: '0.30000000000000000001', totalReturnFee: '0.1', totalRefund: '0.2' }
  const record = { ...facts.record, ...amounts, returnLineItems: [] }
  expect(told({ record: { ...record, baseTotalReturnAmount: null } }).slice(0, 2)).toEqual([
    `total ${record.currency} 0.30000000000000000001`,
    `total ${record.currency} -0.00000000000000000001`,
  ])
})
