import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Config } from '@oclif/core'
import { grouped } from '../../wire/raw.ts'
import { type CommandRow, commandReference, type FlagRow, HELP_TOPICS, type HelpBlock } from './reference.ts'

interface ManPage {
  name: string
  section: 1 | 7
  summary: string
  body: string[]
}

export async function writeManPages(root: string, folder: string) {
  const config = await Config.load(root)
  await mkdir(folder, { recursive: true })
  for (const page of manPages(config)) {
    await writeFile(join(folder, `${page.name}.${page.section}`), pageText(page, config.version))
  }
}

function manPages(config: Config): ManPage[] {
  const reference = commandReference(config)
  const groups = grouped(reference.commands, ({ command }) => command.split(' ')[0] ?? '')
  const topics = [...groups].map(([name, commands]): ManPage => {
    const summary =
      config.topics.find((topic) => topic.name === name)?.description ?? commands[0]?.summary ?? ''
    return { name: `rma-${name}`, section: 1, summary, body: topicBody(summary, commands) }
  })
  const pages = Object.entries(HELP_TOPICS)
    .filter(([name]) => name !== 'flags')
    .map(([name, { summary, blocks }]): ManPage => {
      const body = ['.SH DESCRIPTION', ...blocks.flatMap(blockLines), ...SEE_ALSO]
      return { name: `rma-${name}`, section: 7, summary, body }
    })
  const body = overview(reference, topics, pages, config)
  return [{ name: 'rma', section: 1, summary: 'returns and return labels', body }, ...topics, ...pages]
}

const SEE_ALSO = ['.SH SEE ALSO', '.BR rma (1)']

function overview(
  { globalFlags, exitCodes }: ReturnType<typeof commandReference>,
  topics: readonly ManPage[],
  pages: readonly ManPage[],
  { pjson }: Config,
) {
  return [
    ...['.SH SYNOPSIS', '.B rma', '.I COMMAND', roff('[FLAGS]')],
    ...['.SH DESCRIPTION', roff(pjson.description ?? '')],
    ...['.SH COMMANDS', ...topics.flatMap(({ name, summary }) => item(name.replace('-', ' '), summary))],
    ...['.SH GLOBAL FLAGS', ...globalFlags.flatMap(flagLines)],
    ...[
      '.SH EXIT STATUS',
      ...exitCodes.flatMap(({ code, kind, when }) =>
        item([code, kind].filter((one) => one !== null).join(' '), when),
      ),
    ],
    '.SH SEE ALSO',
    [...topics, ...pages].map(({ name, section }) => `.BR ${roff(name)} (${section})`).join(' ,\n'),
  ]
}

function topicBody(summary: string, commands: readonly CommandRow[]) {
  const synopsis = commands.flatMap(({ usage }, index) => [...(index === 0 ? [] : ['.br']), roff(usage)])
  return [
    '.SH SYNOPSIS',
    ...synopsis,
    '.SH DESCRIPTION',
    roff(`${summary}.`),
    ...commands.flatMap(commandLines),
    ...SEE_ALSO,
  ]
}

function commandLines(row: CommandRow) {
  const { command, summary, description, args, flags, examples, exitCodes } = row
  return [
    `.SS ${roff(`rma ${command}`)}`,
    roff(`${summary}.`),
    ...(description === undefined ? [] : ['.PP', roff(description)]),
    ...args.flatMap((arg) =>
      item(`${arg.name.toUpperCase()}${arg.repeatable ? '...' : ''}`, arg.description),
    ),
    ...flags.flatMap(flagLines),
    ...['.PP', 'Examples:', ...codeLines(examples)],
    ...['.PP', `Exit codes: ${exitCodes.join(', ')}.`],
  ]
}

function flagLines({ name, char, value, summary, required, repeatable }: FlagRow) {
  const label = `${char === undefined ? '' : `-${char}, `}--${name}${value === undefined ? '' : ` ${value}`}`
  return item(`${label}${repeatable ? '...' : ''}`, `${required ? '(required) ' : ''}${summary}`)
}

function blockLines(block: HelpBlock) {
  if (typeof block === 'string') return ['.PP', roff(block)]
  if ('heading' in block) return [`.SS ${roff(block.heading)}`]
  if ('lines' in block) return codeLines(block.lines)
  return block.rows.flatMap(([name, what]) => item(name.trim(), what))
}

function item(name: string, what: string) {
  return ['.TP', `.B ${roff(name)}`, roff(what)]
}

function codeLines(lines: readonly string[]) {
  return ['.PP', '.RS 4', '.nf', ...lines.map(roff), '.fi', '.RE']
}

function roff(text: string) {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replaceAll('’', "'")
    .replaceAll('"', '\\(dq')
    .replace(/^(?=[.'])/, '\\&')
}

function pageText({ name, section, summary, body }: ManPage, version: string) {
  const head = [
    `.TH ${roff(name.toUpperCase())} ${section} "" "rma ${version}"`,
    '.SH NAME',
    `${roff(name)} \\- ${roff(summary)}`,
  ]
  return `${[...head, ...body].join('\n')}\n`
}
