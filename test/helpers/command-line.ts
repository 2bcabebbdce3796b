type Value = string | number | readonly string[] | undefined

/**
 * Arguments of a command line as a user types it, without `rma`: typed`labels print ${files}
   --out 'a b.pdf'`. Words end
 * at blanks that are not quoted. A value stays one word, whatever is in it; a list is a word for each item.
 */
export function typed(texts: TemplateStringsArray, ...values: Value[]): string[] {
  const words: string[] = []
  let word: string | undefined
  for (const [index, text] of texts.entries()) {
    for (const [part] of text.matchAll(/'[^']*'|"[^"]*"|\s+|[^\s'"]+/g)) {
      if (part.trim() === '') {
        if (word !== undefined) words.push(word)
        word = undefined
      } else word = (word ?? '') + part.replace(/^(['"])(.*)\1$/s, '$2')
    }
    if (index === values.length) break
    const value = values[index]
    if (typeof value === 'object') words.push(...value)
    else word = `${word ?? ''}${value}`
  }
  return word === undefined ? words : [...words, word]
}
