import type { ServedTool } from './tools.ts'

/** Command that a tool runs, by a command that it can stand in for. */
const ALIKE: Readonly<Record<string, string>> = { 'returns refunds': 'returns explain' }
const LINE = /\brma ((?:[a-z]+)(?: [a-z]+)?)((?: (?:'[^']*'|"[^"]*"|[^\s'",;]+))*)/g

/** Replaces commands by tool calls: `get {"return":"R#-LU105189"}`. Returns undefined for text about flags that the called tool lacks. */
export function inToolWords(
  text: string,
  called: ServedTool,
  tools: readonly ServedTool[],
): string | undefined {
  const replaced = text.replace(LINE, (_line, command: string, rest: string) => {
    const find = (wanted: string) => tools.find((tool) => (ALIKE[wanted] ?? wanted) === tool.command)
    const [topic = ''] = command.split(' ')
    const tool = find(command) ?? find(topic)
    if (tool === undefined) return `ask the person to run rma ${command}`
    const words = find(command) ? rest : `${command.slice(topic.length)}${rest}`
    const [argument] = Object.keys(tool.input.shape)
    const value = firstWord(words)
    return `${tool.name} ${argument === undefined || value === undefined ? '{}' : JSON.stringify({ [argument]: value })}`
  })
  const named = replaced
    .replace(/--([a-z][a-z-]*)/g, (flag, name: string) => {
      const argument = name.replace(/-[a-z]/g, (part) => part.slice(1).toUpperCase())
      return argument in called.input.shape ? argument : flag
    })
    .replace(/ \([^()]*--[^()]*\)/g, '')
  return named.includes('--') ? undefined : named
}

/** Skips flags with their values, except `--for RETURN`. */
function firstWord(words: string) {
  const found =
    /^(?: --(?!for\b)[\w-]+(?:=\S*| [^-\s]\S*)?)*(?: --for)? (?:'([^']*)'|"([^"]*)"|([^-\s]\S*))/.exec(words)
  return found?.[1] ?? found?.[2] ?? found?.[3]
}
