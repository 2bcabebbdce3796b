import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** Content of a JSON or YAML file in test/fixtures. */
// biome-ignore lint/suspicious/noExplicitAny: files of every shape
export function fixture(path: string): any {
  const text = readFileSync(join(import.meta.dirname, '../fixtures', path), 'utf8')
  return path.endsWith('.json') ? JSON.parse(text) : parse(text)
}
