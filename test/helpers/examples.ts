import { appendFileSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Config } from '@oclif/core'
import { filesBelow, textFile } from './files.ts'
import { type CliResult, type RunOptions, root, runCli } from './run-cli.ts'
import { shell, spawnEnv } from './spawn-cli.ts'

/** Related examples: a block of a page or a command's help. */
export interface ExampleGroup {
  from: string
  lines: string[]
}

/** The examples of README and docs. */
export function examplesOfPages(): ExampleGroup[] {
  const pages = filesBelow(join(root, 'docs'), '.md')
    .map((name) => join('docs', name))
    .sort()
  return ['README.md', ...pages].flatMap(blocksOf)
}

/** The examples of each command's help. */
export async function examplesOfHelp(): Promise<ExampleGroup[]> {
  const { commands } = await Config.load(root)
  return commands.map(({ id, examples = [] }) => {
    const command = id.replaceAll(':', ' ')
    const line = (example: unknown) =>
      String(example).replaceAll('<%= config.bin %>', 'rma').replaceAll('<%= command.id %>', command)
    return { from: `rma ${command} --help`, lines: examples.map(line) }
  })
}

/** Shell blocks of a page that run `rma`, with comments removed and continued lines joined. */
function blocksOf(page: string): ExampleGroup[] {
  const blocks = textFile(join(root, page)).matchAll(/^```(\w*)\n(.*?)^```$/gms)
  return [...blocks].flatMap(([, language = '', block = ''], index) => {
    if (!['', 'sh', 'bash'].includes(language)) return []
    const lines = block
      .replace(/\\\n\s*|(?<=\|)\n\s*/g, '')
      .split('\n')
      .map((line) => line.replace(/^\$ /, '').replace(/\s+# .*$/, ''))
      .filter((line) => /\brma [a-z]/.test(line) && !line.startsWith('#'))
    return lines.length === 0 ? [] : [{ from: `${page}, block ${index + 1}`, lines }]
  })
}

const QUOTED = /'[^']*'|"[^"]*"/g
const WORD = /(?:'[^']*'|"[^"]*"|[^\s'"])+/g

/**
 * Runs a line like a shell: in this process if it consists of rma commands with pipes, `&&`, files and `*`, else in a
 * real shell with `rma` as the built binary.
 */
export async function runLine(line: string, options: RunOptions): Promise<CliResult> {
  const hidden: string[] = []
  const bare = line.replace(QUOTED, (text) => `\u0001${hidden.push(text) - 1}\u0002`)
  const shown = (text: string) => text.replace(/\u0001(\d+)\u0002/g, (_, index) => hidden[index] ?? '')
  const pipelines = bare.split('&&').map((pipeline) => pipeline.split('|').map((one) => one.trim()))
  const isOurs = pipelines.flat().every((one) => /^rma /.test(one) && !/[;`$(){}~?[\]]/.test(one))
  if (!isOurs) {
    const { code, stdout, stderr } = await shell(line, { env: spawnEnv(options.env) })
    return { code: code ?? -1, stdout, stderr }
  }
  let result: CliResult = { code: 0, stdout: '', stderr: '' }
  for (const pipeline of pipelines) {
    let stdin: string | undefined
    for (const command of pipeline) {
      result = await runCommand(shown(command), { ...options, ...(stdin === undefined ? {} : { stdin }) })
      stdin = result.stdout
    }
    if (result.code !== 0) return result
  }
  return result
}

/** Runs one rma command with its redirections, quoted words and `*`. */
async function runCommand(command: string, options: RunOptions): Promise<CliResult> {
  const words = command.match(WORD) ?? []
  const argv: string[] = []
  let { stdin } = options
  let keep = (_text: string) => {}
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? ''
    const [, sign, glued = ''] = /^(>>?|<)(.*)$/.exec(word) ?? []
    if (sign === undefined) argv.push(...matching(word))
    else {
      const path = glued || (words[++at] ?? '')
      if (sign === '<') stdin = textFile(path)
      else keep = (text) => (sign === '>' ? writeFileSync : appendFileSync)(path, text)
    }
  }
  const result = await runCli(argv, { ...options, ...(stdin === undefined ? {} : { stdin }) })
  keep(result.stdout)
  return result
}

/** Unquotes a word, or expands its `*` to file names. */
function matching(word: string): string[] {
  if (word.includes('*') && !/['"]/.test(word)) {
    const pattern = new RegExp(`^${word.replace(/[.+^]/g, '\\$&').replaceAll('*', '[^/]*')}$`)
    const folder = dirname(word)
    const found = (existsSync(folder) ? readdirSync(folder) : []).map((name) =>
      folder === '.' ? name : join(folder, name),
    )
    const files = found.filter((path) => pattern.test(path)).sort()
    if (files.length > 0) return files
  }
  return [word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2')]
}
