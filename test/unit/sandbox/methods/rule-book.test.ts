import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SHOPS } from '../../../../src/lib/sandbox/demo/catalogue.ts'
import { BUILT_IN_RULES, RuleBook } from '../../../../src/lib/sandbox/methods/rule-book.ts'
import { newFolder } from '../../../helpers/files.ts'

const shop = SHOPS[0]!
const builtIn = BUILT_IN_RULES[shop.code]!

function openBook() {
  const dir = join(newFolder(), 'rules')
  const notes: string[] = []
  const book = new RuleBook({ dir, onNote: (text) => notes.push(text) })
  const file = join(dir, `${shop.code}.json`)
  mkdirSync(dir)
  return { book, notes, file, days: () => book.rulesFor(shop).rules?.window.days }
}

const text = (days: number | string) => JSON.stringify({ ...builtIn, window: { days } })

it('the rule file replaces the built-in rules while it exists, and changes apply at once', () => {
  const { book, notes, file, days } = openBook()
  expect(days()).toBe(30)
  expect(book.rulesFor(shop).source).toBe('built-in')
  expect(notes).toEqual([])
  writeFileSync(file, text(45))
  expect(days()).toBe(45)
  writeFileSync(file, `\ufeff${text(100)}`)
  expect(days()).toBe(100)
  expect(book.rulesFor(shop)).toBe(book.rulesFor(shop))
  rmSync(file)
  expect(days()).toBe(30)
  expect(notes).toEqual([
    `Return methods of LUMBRE-ES: rules from ${file}`,
    `Return methods of LUMBRE-ES: rules from ${file}`,
    'Return methods of LUMBRE-ES: rules from built-in',
  ])
})

it('a mistake is named once by file and path, and the old rules apply until it is fixed', () => {
  const { book, notes, file, days } = openBook()
  writeFileSync(file, text(45))
  expect(days()).toBe(45)
  writeFileSync(file, text('many'))
  expect(days()).toBe(45)
  expect(days()).toBe(45)
  expect(book.rulesFor(shop)).toMatchObject({ source: file, problems: [{ path: 'window.days' }] })
  expect(notes.slice(1)).toEqual([
    `${file} has mistakes; the former rules stay in force\n  window.days: must be of type number`,
  ])
  writeFileSync(file, text(46))
  expect(days()).toBe(46)
  expect(book.rulesFor(shop).problems).toEqual([])
})

it.each([
  ['half a file', '{"window": ', 'not JSON'],
  ['an empty file', '', 'not JSON'],
])('%s, from the beginning: the built-in rules stay in force', (_name, content, message) => {
  const { book, notes, file, days } = openBook()
  writeFileSync(file, content)
  expect(days()).toBe(30)
  expect(book.rulesFor(shop).problems[0]?.message).toContain(message)
  expect(notes[0]).toContain(`${file} has mistakes; the built-in rules stay in force`)
})

it('a folder in the place of the rule file is reported as a mistake', () => {
  const { book, file } = openBook()
  mkdirSync(file)
  expect(book.rulesFor(shop)).toMatchObject({ source: 'built-in', problems: [{ path: 'the file' }] })
})
