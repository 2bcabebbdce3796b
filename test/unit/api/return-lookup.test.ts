import { describe, expect, it } from 'vitest'
import { ReturnLookup } from '../../../src/lib/api/return-lookup.ts'
import type { ReturnFilters, ReturnsApi } from '../../../src/lib/api/returns.ts'
import { AppError } from '../../../src/lib/errors.ts'
import type { Return } from '../../../src/lib/wire/returns.ts'
import { expectRejection } from '../../helpers/rejections.ts'
import { valuesOf } from '../../helpers/values-of.ts'

const record = (id: string, order: string, more: Partial<Return> = {}) =>
  ({
    id,
    name: `R#-${order}`,
    shopCode: 'A',
    ecommerceOrder: { id: `o${id}`, name: order },
    ...more,
  }) as Return

/** A platform that filters by beginnings, and what it was asked. */
function lookupIn(records: readonly Return[], candidates?: (text: string) => Promise<Return[]>) {
  const asked: string[] = []
  const api: Partial<ReturnsApi> = {
    get: async (id) => {
      asked.push(id)
      const found = records.find((one) => one.id === id)
      if (found) return found
      throw new AppError('not-found', 'none')
    },
    listPage: async (filters: ReturnFilters) => {
      asked.push(JSON.stringify(filters))
      const { name = '', order = '' } = filters
      const isMeant = (one: Return) =>
        one.name.startsWith(name) && String(one.ecommerceOrder.name).startsWith(order)
      const found = records.filter(isMeant)
      return {
        records: found,
        received: found.length,
        totalRecords: found.length,
        totalPages: 1,
        rest: {},
        sandboxId: undefined,
        nowMs: undefined,
      }
    },
    transportations: async () => {
      const sent = [{ id: 't1' }, { id: 't2' }]
      return { records: sent, sent, rest: {} }
    },
  }
  const commandLine = async (words: readonly string[]) => ['rma', ...words].join(' ')
  const options = { returns: api as ReturnsApi, shop: undefined, commandLine }
  return { asked, lookup: new ReturnLookup({ ...options, candidates }) }
}

describe('what a text names', () => {
  const records = [record('1', 'LU1'), record('2', 'LU12'), record('LU3', 'LU9'), record('3', 'LU3')]

  it('a text finds only exact matches, though a filter may find more', async () => {
    expect(valuesOf(await lookupIn(records).lookup.all('LU1'), 'id')).toEqual(['1'])
    expect(valuesOf(await lookupIn(records).lookup.all('R#-LU1'), 'id')).toEqual(['1'])
  })

  it('a text is taken for an id before it is taken for an order', async () => {
    expect(valuesOf(await lookupIn(records).lookup.all('LU3'), 'id')).toEqual(['LU3'])
    expect(valuesOf(await lookupIn(records).lookup.all('#LU3'), 'id')).toEqual(['3'])
  })

  it('a label id finds a return only if it has that transport', async () => {
    const { lookup } = lookupIn(records)
    expect(valuesOf(await lookup.all('R#-LU1-Tt2'), 'id')).toEqual(['1'])
    await expectRejection(lookup.all('R#-LU1-Tt3'), 'not-found')
  })
})

describe('a return with names of several kinds', () => {
  const merchants = record('1', 'LU105189', { merchantReturnName: 'LU105189/RMA' })
  const others = [record('2', 'LU7'), record('3', 'LU7-2'), { ...record('4', 'LU7'), name: 'R#-LU7-2' }]
  const ids = async (text: string) => valuesOf(await lookupIn([merchants, ...others]).lookup.find(text), 'id')

  it('a return is found by the digits of its order alone, and by the merchant’s name of it', async () => {
    expect(await ids('105189')).toEqual(['1'])
    expect(await ids('LU105189/RMA')).toEqual(['1'])
    expect(await ids('7')).toEqual(['2', '4'])
    expect(await ids('105188')).toEqual([])
  })

  it('digits alone find the orders of every shop', async () => {
    const orders = ['A1001', 'B1002', 'C1003', 'D1004', 'E1003', 'FS1003']
    const { lookup } = lookupIn(orders.map((order, at) => record(String(at), order)))
    expect(valuesOf(await lookup.find('1003'), 'id')).toEqual(['2', '4', '5'])
    await expectRejection(lookup.one('1003'), 'usage')
  })

  it('a text finds both its order’s return and a return of another order with that name', async () => {
    expect(await ids('LU7-2')).toEqual(['3', '4'])
    expect(await ids('R#-LU7-2')).toEqual(['3', '4'])
  })
})

it.each(['#1001', '1001', 'R#-#1001'])('an order that is called #1001 is found by %s', async (text) => {
  const { lookup } = lookupIn([record('5', '#1001')])
  expect((await lookup.one(text)).id).toBe('5')
})

const copied = record('7', 'LU7')

it('what the platform can’t find is looked up in the local copy', async () => {
  const now = { status: 'CLOSED', activeTransportation: { carrierReference: '1Z999' } } as Partial<Return>
  // The copies are old: the number of LU9 was corrected since.
  const { asked, lookup } = lookupIn([record('7', 'LU7', now), record('9', 'LU9')], async (text) =>
    text === '1Z999' ? [copied, record('8', 'LU8'), record('9', 'LU9')] : [],
  )
  expect(await lookup.one(' 1Z999 ')).toMatchObject({ id: '7', status: 'CLOSED' })
  expect(asked).toEqual(['1Z999', '{"order":"1Z999"}', '{"name":"R#-1Z999"}', '7', '8', '9'])
  await expect(lookup.one('1Z998')).rejects.toMatchObject({
    kind: 'not-found',
    hints: ['rma search 1Z998'],
  })
})

it('the local copy is not asked if the platform knows the return', async () => {
  const { lookup } = lookupIn([record('1', 'LU1')], async () => {
    throw new Error('asked')
  })
  expect((await lookup.one('LU1')).id).toBe('1')
})

it('--shop or an id selects one of two shops’ returns', async () => {
  const { lookup } = lookupIn([record('1', 'LU1'), record('2', 'LU1', { shopCode: 'B' })])
  await expect(lookup.one('LU1')).rejects.toMatchObject({
    kind: 'usage',
    details: [
      { path: 'R#-LU1', message: 'id 1, shop A' },
      { path: 'R#-LU1', message: 'id 2, shop B' },
    ],
    hints: ['give the id of one of them', 'or choose a shop: --shop A'],
  })
})

it('a label’s id that names transports of two shops is an error', async () => {
  const { lookup } = lookupIn([record('1', 'LU1'), record('2', 'LU1', { shopCode: 'B' })])
  await expectRejection(lookup.one('R#-LU1-Tt1'), 'usage', expect.stringContaining('names 2 returns'))
  expect(await lookup.one('R#-LU1-Tt1', 'B')).toMatchObject({ id: '2' })
})

it('a shop named by a file finds its return, though another shop has a likelier one', async () => {
  const { lookup } = lookupIn([record('12', 'LU1'), record('2', '12', { shopCode: 'B' })])
  expect(await lookup.one('12', 'B')).toMatchObject({ id: '2' })
})

it('an exact name is found in the list', async () => {
  const { lookup, asked } = lookupIn([record('1', '12'), record('2', '1')])
  expect(await lookup.named('R#-1')).toMatchObject({ id: '2' })
  expect(asked).toEqual(['{"name":"R#-1"}'])
})

it('an unknown name is an error', async () => {
  const { lookup } = lookupIn([record('1', '12')])
  await expectRejection(lookup.named('R#-1'), 'not-found', expect.stringContaining('R#-1'))
})

it('a name that two shops use is an error', async () => {
  const { lookup } = lookupIn([record('1', '1'), record('2', '1', { shopCode: 'B' })])
  await expect(lookup.named('R#-1')).rejects.toMatchObject({
    kind: 'usage',
    hints: expect.arrayContaining([expect.stringContaining('--shop A')]),
  })
})
