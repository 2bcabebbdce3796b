import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PAGES = ['exit-codes', 'environment', 'formatting', 'references']

/** Markdown pages of each command topic and each `rma help` topic, generated from the built command. */
export function commandPages(root) {
  const home = mkdtempSync(join(tmpdir(), 'rma-site-'))
  const rma = (...argv) =>
    execFileSync(process.execPath, [join(root, 'bin/run.js'), ...argv], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: home, NO_COLOR: '1', OCLIF_COLUMNS: '100' },
    })
  const { commands, globalFlags } = JSON.parse(rma('commands', '--json'))
  const { topics } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).oclif
  const names = [...new Set(commands.map(({ command }) => command.split(' ')[0]))]
  const pages = names.map((name) => {
    const rows = commands.filter(({ command }) => command.split(' ')[0] === name)
    const summary = topics[name]?.description ?? rows[0].summary
    return { name, summary, text: topicPage(name, summary, rows) }
  })
  const help = PAGES.map((name) => {
    return { name: `help-${name}`, text: `# rma help ${name}\n\n${fence(rma('help', name), 'text')}` }
  })
  rmSync(home, { recursive: true })
  return [{ name: 'README', text: overview(pages, globalFlags) }, ...pages, ...help]
}

function overview(pages, globalFlags) {
  return [
    '# Commands',
    table(pages.map(({ name, summary }) => [`<a href="${name}.html">rma ${name}</a>`, escaped(summary)])),
    '## Flags of all commands',
    table(globalFlags.map(flagRow)),
    '## Pages of `rma help`',
    PAGES.map((name) => `- [rma help ${name}](help-${name}.md)`).join('\n'),
  ].join('\n\n')
}

function topicPage(name, summary, rows) {
  const list = rows.map(({ command, summary: what }) => [
    `<a href="#rma-${command.replaceAll(' ', '-')}">rma ${command}</a>`,
    escaped(what),
  ])
  const hasMany = rows.length > 1
  return [
    `# rma ${name}`,
    escaped(`${summary}.`),
    ...(hasMany ? [table(list)] : []),
    ...rows.map((row) => commandText(row, hasMany)),
  ].join('\n\n')
}

function commandText({ command, summary, description, usage, args, flags, examples, exitCodes }, hasHeading) {
  const argRows = args.map(({ name, description: what, repeatable }) => [
    code(`${name.toUpperCase()}${repeatable ? '…' : ''}`),
    escaped(what),
  ])
  return [
    ...(hasHeading ? [`## rma ${command}`, escaped(`${summary}.`)] : []),
    ...(description === undefined ? [] : [escaped(description)]),
    fence(usage, 'sh'),
    ...(argRows.length + flags.length > 0 ? [table([...argRows, ...flags.map(flagRow)])] : []),
    ...(examples.length > 0 ? ['Examples:', fence(examples.join('\n'), 'sh')] : []),
    `[Exit codes](../reference.md#exit-codes): ${exitCodes.join(', ')}.`,
  ].join('\n\n')
}

function flagRow({ name, char, value, summary, required, repeatable }) {
  const short = char === undefined ? '' : `-${char}, `
  const label = `${short}--${name}${value === undefined ? '' : ` ${value}`}${repeatable ? '…' : ''}`
  return [code(label), escaped(`${required ? '(required) ' : ''}${summary}`)]
}

const code = (text) => `<code>${escaped(text)}</code>`

/** Escapes the special characters of HTML and Markdown. */
const escaped = (text) => text.replace(/[&<>"'*_`[\]\\|~$]/g, (character) => `&#${character.charCodeAt(0)};`)

const fence = (text, language) => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``

/** @param {string[][]} rows pairs of HTML: a term and its description */
function table(rows) {
  const lines = rows.map(([name, what]) => `<tr><th scope="row">${name}</th><td>${what}</td></tr>`)
  return ['<div class="wide" tabindex="0"><table>', ...lines, '</table></div>'].join('\n')
}
