/** How a program is run over a list that arrives in parts. */
export type JqPlan =
  /** On the whole document. */
  | { kind: 'whole' }
  /** On each part: the results follow each other. */
  | { kind: 'records' }
  /** `head` makes a list of each part; `rest`, if it is not empty, runs once on all of them put together. */
  | { kind: 'list'; head: string; rest: string }

/** Words that tell one run of jq from several, beside the document. */
const REACHES_OUT = /\b(?:inputs?|input_line_number|input_filename|halt|halt_error)\b|\$__loc__/

/** Between two runs numbers are text, which these have no form in. */
const NO_JSON = /\b(?:isnan|isinfinite|isnormal)\b/
/** Functions whose results all have a form in JSON; `head` may call no others if something follows. */
const MAKES_JSON = new Set(
  (
    'and or not if then elif else end as reduce foreach try catch empty error null true false select map map_values ' +
    'length type keys keys_unsorted values has in inside contains any all add range floor ceil round abs min max ' +
    'min_by max_by unique unique_by sort sort_by group_by reverse first last nth limit until recurse flatten ' +
    'to_entries from_entries with_entries del delpaths paths getpath setpath tostring tojson ascii_downcase ' +
    'ascii_upcase startswith endswith ltrimstr rtrimstr split join test match capture scan sub gsub index rindex ' +
    'indices objects arrays strings numbers booleans nulls iterables scalars'
  ).split(' '),
)

/**
 * Which programs give for a list what they give for its parts, as far as the text alone can tell: `.returns[] | f`;
 * `[.returns[] | f]`, `.returns | map(f)` and `.returns | length`, each with anything piped after it. A pipe binds
 * weakest, so that what follows the first one sees one record, or the list, and nothing else.
 *
 * @param key of the list in the document; undefined if the list is the document
 */
export function planJq(expression: string, key?: string): JqPlan {
  if (reachesOut(expression)) return { kind: 'whole' }
  if (goesByRecord(expression, key)) return { kind: 'records' }
  return listPlan(expression, key) ?? { kind: 'whole' }
}

/** Whether a program may tell one run of jq from several. */
export function reachesOut(expression: string): boolean {
  return REACHES_OUT.test(expression)
}

/** It begins with all records (`.returns[]`, `.[]`), at most takes something of each, and pipes it on. */
function goesByRecord(expression: string, key: string | undefined): boolean {
  const list = key === undefined ? String.raw`\.` : String.raw`\.${key}(?:\s*\|\s*\.)?`
  const step = String.raw`\s*(?:\.[A-Za-z_]\w*|\.?\[(?:\d*|"[^"\\]*")\]|\?)`
  return new RegExp(String.raw`^\s*${list}\[\](?:${step})*\s*(?:$|\|(?!=))`).test(expression)
}

function listPlan(expression: string, key: string | undefined): JqPlan | undefined {
  const all = key === undefined ? '.[]' : `.${key}[]`
  const before = key === undefined ? String.raw`(?:\.\s*\|\s*)?` : String.raw`\.${key}\s*\|\s*`
  const [begin, word] = new RegExp(String.raw`^\s*(?:\[|${before}(map\s*\(|length\b))`).exec(expression) ?? []
  if (begin === undefined) return undefined
  if (word === 'length') return planOf(`[${all} | 0]`, expression.slice(begin.length), '| length')
  const end = closingBracket(expression, begin.length - 1)
  if (end === undefined) return undefined
  const inside = expression.slice(begin.length, end)
  const each = word === undefined ? inside : `${all} | ${inside}`
  return goesByRecord(each, key) ? planOf(`[${each}]`, expression.slice(end + 1)) : undefined
}

/** `first` is to follow the head before all else. */
function planOf(head: string, after: string, first = ''): JqPlan | undefined {
  if (!/^\s*(?:$|\|(?!=))/.test(after)) return undefined
  const rest = `${first}${after}`.trim().replace(/^\|/, '')
  if (rest !== '' && (NO_JSON.test(rest) || !wordsIn(head).every((word) => MAKES_JSON.has(word))))
    return undefined
  return { kind: 'list', head, rest }
}

/** Names of functions, and perhaps others, but not those of fields and variables. */
function wordsIn(program: string): string[] {
  // A text with an expression in it is left as it is.
  const code = program.includes('\\(') ? program : program.replace(/"(?:[^"\\]|\\.)*"/g, '""')
  const short = code.replace(/\{\s*\w+(?:\s*,\s*\w+)*\s*\}/g, '')
  return [...short.matchAll(/(?<![.$@\w])[A-Za-z_]\w*(?!\s*:)/g)].map(([word]) => word)
}

const CLOSING: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' }

/** Returns the position of the closing bracket; undefined if a comment may hide it. */
function closingBracket(program: string, start: number): number | undefined {
  // Open brackets by what closes them, and open texts by their quotation mark.
  const open: string[] = []
  for (let at = start; at < program.length; at += 1) {
    const char = program[at] ?? ''
    const isInText = open.at(-1) === '"'
    if (isInText && char === '\\') {
      at += 1
      if (program[at] === '(') open.push(')')
    } else if (char === open.at(-1)) open.pop()
    else if (isInText) continue
    else if (char === '#') return undefined
    else if (char === '"') open.push(char)
    else if (CLOSING[char] !== undefined) open.push(CLOSING[char])
    if (open.length === 0) return at
  }
  return undefined
}
