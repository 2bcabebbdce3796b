import fc from 'fast-check'
import { expect, it } from 'vitest'
import { foldText } from '../../../../src/lib/mirror/search/fold.ts'
import { readQuery } from '../../../../src/lib/mirror/search/query.ts'
import { searchReturns } from '../../../../src/lib/mirror/search/search.ts'
import { isOneTypo, oneTypoFrom } from '../../../../src/lib/mirror/search/spelling.ts'
import { applyReturns, clearMirror } from '../../../../src/lib/mirror/store/apply.ts'
import { removeReturns } from '../../../../src/lib/mirror/store/forget.ts'
import type { Return } from '../../../../src/lib/wire/returns.ts'
import type { Transportation } from '../../../../src/lib/wire/transportations.ts'
import { anyCharacter } from '../../../helpers/any-character.ts'
import { newMirror } from '../../../helpers/new-mirror.ts'
import { testSandbox } from '../../../helpers/sandbox-client.ts'
import { wrongAnswers } from '../../../helpers/support-questions.ts'
import { times, valuesOf } from '../../../helpers/values-of.ts'

const SYNCED = '2026-04-15T12:00:00.000Z'

function record(id: number, more: Record<string, unknown> = {}): Return {
  const createdAt = `2026-03-01 10:00:${String(id % 60).padStart(2, '0')}Z`
  return { id: String(id), name: `R#-AB${1000 + id}`, status: 'PENDING', createdAt, ...more } as Return
}

const customer = (fullName: string, more = {}) => ({ customer: { fullName, ...more } })

async function mirrorOf(...records: Return[]) {
  const { mirror, file } = await newMirror()
  const apply = (batch: Return[], transportations?: Transportation[]) =>
    applyReturns(
      mirror.db,
      batch.map((one) => ({ record: one, transportations, syncedAt: SYNCED })),
    )
  await apply(records)
  const names = async (text: string, filter = {}, limit = 20) =>
    (await searchReturns(mirror.db, { text, filter, limit })).map((hit) => hit.record.name)
  return { mirror, file, apply, names }
}

it('a search finds what a support desk asks for', async () => {
  const { allReturns } = await testSandbox({ returns: 1200 })
  const { mirror } = await mirrorOf(...(await allReturns()))
  const { asked, wrong } = await wrongAnswers(mirror)
  expect(asked).toBe(100)
  expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(3)
})

it('the search index follows changes, and keeps no word of removed records', async () => {
  const { mirror, apply, names } = await mirrorOf(
    record(1, customer('Zenobia Quixote')),
    record(2, customer('Quixote')),
  )
  await apply([record(1, customer('Wilhelmina Quixote'))])
  expect([await names('zenobia'), await names('wilhelmina'), await names('quixoet')]).toEqual([
    [],
    ['R#-AB1001'],
    ['R#-AB1002', 'R#-AB1001'],
  ])
  await removeReturns(mirror.db, ['1'])
  expect([await names('wilhelmina'), await names('quixote')]).toEqual([[], ['R#-AB1002']])
  const words = await mirror.db.selectFrom('search_words').select('word').execute()
  expect(words).toEqual([{ word: 'quixote' }])
  await clearMirror(mirror.db)
  expect(await names('quixote')).toEqual([])
  expect(await mirror.db.selectFrom('search_entries').selectAll().execute()).toEqual([])
})

it('a return with a text of 40,000 different words is found by its first ones, and can be removed', async () => {
  const words = times(40_000, (at) => `w${at.toString(36).replace(/\d/g, 'q')}x${at}`)
  const { mirror, names } = await mirrorOf(record(1, customer(words.join(' '))))
  expect(await names(words[0] ?? '')).toEqual(['R#-AB1001'])
  await removeReturns(mirror.db, ['1'])
  expect(await mirror.db.selectFrom('search_words').select('word').execute()).toEqual([])
})

it('a search returns the requested number of hits, even if many are exact', async () => {
  const people = times(180, (id) => record(id, customer(id < 120 ? 'Anna' : 'Annabel')))
  const { names } = await mirrorOf(...people)
  expect([(await names('anna', {}, 120)).length, (await names('anna', {}, 500)).length]).toEqual([120, 180])
})

it('a search ranks exact matches first, then beginnings, then typos, and equals by age', async () => {
  const { names } = await mirrorOf(
    record(1, customer('Marten')),
    record(2, customer('Martens')),
    record(3, customer('Martin')),
    record(4, customer('Marten')),
    record(5, customer('Anyone', { address: { city: 'Marten' } })),
    record(6, { name: 'R#-MARTEN' }),
  )
  expect(await names('márten')).toEqual([
    ...['R#-MARTEN', 'R#-AB1004', 'R#-AB1001', 'R#-AB1005', 'R#-AB1002', 'R#-AB1003'],
  ])
})

it('a hit shows which words were found where, and which were not', async () => {
  const { mirror } = await mirrorOf(record(1, customer('Ana Rey', { address: { city: 'Lugo' } })))
  const [hit] = await searchReturns(mirror.db, { text: 'lugo rey', limit: 5 })
  expect(hit?.matched.map(({ path, value }) => [path, value])).toEqual([
    ['customer.fullName', 'Ana Rey'],
    ['customer.address.city', 'Lugo'],
  ])
  const [partly] = await searchReturns(mirror.db, { text: 'señora rey', limit: 5 })
  expect([partly?.record.id, partly?.missing]).toEqual(['1', ['senora']])
  expect(await searchReturns(mirror.db, { text: '¿?', limit: 5 })).toEqual([])
  expect(await searchReturns(mirror.db, { text: 'no such', limit: 5 })).toEqual([])
})

it('a search forgives one typo, in words of five letters or more', async () => {
  const { names } = await mirrorOf(record(1, customer('Reyes Soto')))
  for (const text of ['ryees', 'reyez', 'reye', 'reyess', 'eyes', 'reyse soto', 'reeys']) {
    expect(await names(text), text).toEqual(text === 'eyes' ? [] : ['R#-AB1001'])
  }
  for (const text of ['soot', 'sota', 'rexex', 'reyesss']) expect(await names(text), text).toEqual([])
})

it('a return is found by the codes of its earlier transports, and by ids', async () => {
  const { apply, names, mirror } = await mirrorOf()
  const transport = { id: '77', carrierReference: 'OLD-CODE-1' } as Transportation
  await apply([record(1)], [transport])
  expect([await names('old-code-1'), await names('1')]).toEqual([['R#-AB1001'], ['R#-AB1001']])
  const [hit] = await searchReturns(mirror.db, { text: 'old-code-1', limit: 1 })
  expect(hit?.matched).toEqual([{ path: 'identifier', kind: 'code', value: 'old-code-1', weight: 0 }])
})

it('matches are found after many that the filters exclude', async () => {
  const many = times(1300, (id) =>
    record(id, { ...customer('Common Name'), status: id === 3 ? 'CLOSED' : 'PENDING' }),
  )
  const { names } = await mirrorOf(...many)
  expect(await names('common', { status: 'CLOSED' })).toEqual(['R#-AB1003'])
  expect(await names('common', { shop: 'X' })).toEqual([])
  const at = Date.parse('2026-03-01T10:00:05Z')
  const inSecond = await names('common', { createdFromMs: at, createdToMs: at + 999 }, 50)
  expect(inSecond).toHaveLength(22)
  expect(await names('common', {}, 7)).toHaveLength(7)
})

it('a common word counts as the beginning of another only where nothing else fits', async () => {
  const many = times(600, (id) => record(id, customer('Maria Lopez')))
  const { names } = await mirrorOf(
    ...many,
    record(601, customer('Maria Vidal')),
    record(602, customer('Mariana Vidal')),
    record(603, customer('Mariana Soto')),
  )
  expect(await names('maria vida')).toEqual(['R#-AB1601'])
  expect(await names('mari vidal')).toEqual(['R#-AB1602', 'R#-AB1601'])
  expect(await names('maria soto')).toEqual(['R#-AB1603'])
})

it('a return of many items is found by its people, and a long question tells all words that are missing', async () => {
  const items = times(400, (at) => ({ sku: `SKU-${at}`, productName: `Shirt ${at}` }))
  const jane = { fullName: 'Zenobia Quixote', email: 'zen@quixote.example', phone: '+44 20 7946 0958' }
  const { mirror, names } = await mirrorOf(record(1, { customer: jane, returnLineItems: items }), record(2))
  for (const text of ['quixote', 'zen@quixote.example', '2079460958', 'sku-1'])
    expect(await names(text), text).toEqual(['R#-AB1001'])
  const text = `quixote ${'zenobia '.repeat(11)}thirteenth zen`
  const [hit] = await searchReturns(mirror.db, { text, limit: 5 })
  expect(hit?.missing).toEqual(['thirteenth'])
})

it('the return with the number in question comes before those with its other words', async () => {
  const { names } = await mirrorOf(
    record(1, { ecommerceOrder: { name: '#105150' } }),
    ...times(9, (at) => record(at + 2, customer('One Sixsmith'))),
  )
  for (const text of ['sixsmith order 105150', 'this one 105150', 'neuf 105150', 'six 105150'])
    expect((await names(text))[0], text).toBe('R#-AB1001')
})

it('a search takes whatever is typed, and whatever a record holds', async () => {
  const { mirror } = await mirrorOf(
    record(1, { customer: { fullName: 5, phone: ['x'] }, returnLineItems: 'none' }),
    record(2, customer(`"*' AND OR NEAR( \u0000\ud800 ${'x'.repeat(5000)}`)),
  )
  expect(await searchReturns(mirror.db, { text: 'AND or near', limit: 5 })).toHaveLength(1)
  const typed = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.string(),
    fc.stringMatching(/^["'*:&|()<ab1 -]*$/),
  )
  await fc.assert(
    fc.asyncProperty(typed, async (text) => {
      await searchReturns(mirror.db, { text, limit: 5 })
    }),
    { numRuns: 150 },
  )
})

it('the index gives no return a negative key, whatever its date', async () => {
  const dates = [
    '1912-06-23 10:00:00Z',
    '0001-01-01 00:00:00Z',
    '-271821-04-20',
    '9999-12-31 23:59:59Z',
    'never',
    '',
  ]
  const { mirror, names } = await mirrorOf(...dates.map((createdAt, id) => record(id, { createdAt })))
  const { key } = await mirror.db
    .selectFrom('search_entries')
    .select((of) => of.fn.min('key').as('key'))
    .executeTakeFirstOrThrow()
  expect(key).toBeGreaterThanOrEqual(0)
  expect(await names('ab100')).toHaveLength(dates.length)
})

it.each([
  ['Łódź', 'lodz'],
  ['STRASSE straße', 'strasse strasse'],
  ['Søren Sæther', 'soren saether'],
  ['ガ서울ＡＢ', 'ガ서울ab'],
])('%s are folded for the search', (text, expected) => expect(foldText(text)).toBe(expected))

it.each([
  ['LU 105 189 rossi', 'lu105189 rossi'],
  ['one oh double five nine', '10559'],
  ['due tre', 'due tre'],
  ['one five 105150', 'one five 105150'],
  ['ana 619 13 82 18', 'ana619138218|ana 619138218|ana 619 13 82 18'],
  ['order no. 105189', '105189'],
  ['order no', 'order no'],
])('%s are read as search words', (text, expected) => {
  const shown = readQuery(text).map((reading) => valuesOf(reading, 'text').join(' '))
  expect(shown.slice(0, expected.split('|').length)).toEqual(expected.split('|'))
})

it('oneTypoFrom finds all words one typo away, and no others', () => {
  const pairOf = (letters: string) => {
    const word = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 6 })
    return fc.tuple(word, word)
  }
  fc.assert(
    fc.property(fc.oneof(pairOf('ab9'), pairOf('аяё')), ([one, other]) => {
      expect(new Set(oneTypoFrom(one)).has(other)).toBe(isOneTypo(one, other))
    }),
    { numRuns: 200 },
  )
})

it('isOneTypo is true exactly for words that one edit turns into each other', () => {
  const word = fc.stringMatching(/^[abc]{0,6}$/)
  const edits = (one: string) =>
    times(one.length + 1, (at) => [one.slice(0, at), one.slice(at)] as const).flatMap(([head, tail]) => [
      head + tail.slice(1),
      `${head}${tail[1] ?? ''}${tail[0] ?? ''}${tail.slice(2)}`,
      ...['a', 'b', 'c'].flatMap((letter) => [head + letter + tail, head + letter + tail.slice(1)]),
    ])
  fc.assert(
    fc.property(word, word, (one, other) => {
      expect(isOneTypo(one, other)).toBe(one !== other && edits(one).includes(other))
    }),
    { numRuns: 300 },
  )
})
