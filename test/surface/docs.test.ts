import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesBelow, textFile } from '../helpers/files.ts'
import { root } from '../helpers/run-cli.ts'

const LINE_LENGTH = 120
const README_LINES = 140

const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].map((name) => join(root, name)),
  ...filesBelow(join(root, 'docs'), '.md').map((name) => join(root, 'docs', name)),
]
const textOf = (page: string) => textFile(page)
const withoutCode = (text: string) => text.replace(/^```.*?^```$/gms, '')

/** Makes a heading's anchor like GitHub. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const anchorsOf = (page: string) =>
  [...withoutCode(textOf(page)).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))

describe.each(pages.map((page) => [relative(root, page), page]))('%s', (name, page) => {
  it('links to what there is', () => {
    const links = [...withoutCode(textOf(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
    const dead = links
      .filter((link) => !/^\w+:/.test(link))
      .filter((link) => {
        const [path = '', anchor] = link.split('#')
        const target = path === '' ? page : join(dirname(page), path)
        return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor))
      })
    expect(dead).toEqual([])
  })

  it(`has lines of less than ${LINE_LENGTH} characters`, () => {
    const long = textOf(page)
      .split('\n')
      .flatMap((line, index) => (line.length < LINE_LENGTH ? [] : [`${name}:${index + 1}`]))
    expect(long).toEqual([])
  })
})

it(`README.md has at most ${README_LINES} lines and links to every page in docs/, CONTRIBUTING.md to design records`, () => {
  const text = textOf(join(root, 'README.md'))
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(README_LINES)
  const named = pages.map((page) => relative(root, page)).filter((name) => name !== 'README.md')
  const isRecord = (name: string) => name.startsWith('docs/design/')
  expect(named.filter((name) => !isRecord(name) && !text.includes(`](${name})`))).toEqual([])
  const contributing = textOf(join(root, 'CONTRIBUTING.md'))
  expect(named.filter((name) => isRecord(name) && !contributing.includes(`](${name})`))).toEqual([])
})

describe('CONTRIBUTING.md', () => {
  const text = textOf(join(root, 'CONTRIBUTING.md'))

  it('names files that there are', () => {
    const files = [...text.matchAll(/\b(?:src|test|bin|tools)\/[\w./-]*\w/g)].map(([file]) => file)
    expect(files.length).toBeGreaterThan(50)
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })

  it('names what those files declare', () => {
    const named = [...text.matchAll(/`(src\/[\w./-]+\.ts)`\s+`(\w+)`/g)].map(([, file = '', name = '']) => ({
      file,
      name,
    }))
    expect(named.length).toBeGreaterThan(40)
    const declares = ({ file, name }: { file: string; name: string }) =>
      new RegExp(`(?:function\\*?|class|const|interface) ${name}\\b`).test(textOf(join(root, file)))
    expect(named.filter((one) => !declares(one))).toEqual([])
  })
})
