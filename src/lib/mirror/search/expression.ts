/** Condition on a return's terms: one term, or a term with this beginning; all of these; any of them. */
export type TermExpression =
  | { term: string; isPrefix?: boolean }
  | { all: readonly TermExpression[] }
  | { any: readonly TermExpression[] }

/** In the language of FTS5: https://sqlite.org/fts5.html#full_text_query_syntax. */
export function ftsText(expression: TermExpression): string {
  return write(expression, [' AND ', ' OR '], ({ term, isPrefix }) => `"${term}"${isPrefix ? '*' : ''}`)
}

/** Writes a `tsquery` of PostgreSQL. */
export function tsqueryText(expression: TermExpression): string {
  return write(expression, [' & ', ' | '], ({ term, isPrefix }) => `'${term}'${isPrefix ? ':*' : ''}`)
}

function write(
  expression: TermExpression,
  operators: readonly [all: string, any: string],
  writeTerm: (one: { term: string; isPrefix?: boolean }) => string,
): string {
  if ('term' in expression) return writeTerm(expression)
  const [parts, operator] =
    'all' in expression ? [expression.all, operators[0]] : [expression.any, operators[1]]
  return `(${parts.map((part) => write(part, operators, writeTerm)).join(operator)})`
}
