import type { CUSTOMER_LANGUAGES } from '../../wire/geography.ts'
import de from './words/de.json'
import en from './words/en.json'
import es from './words/es.json'
import fr from './words/fr.json'
import it from './words/it.json'
import ja from './words/ja.json'
import pt from './words/pt.json'

/** Texts of the page in one language, with placeholders such as `{time}`. */
export type MapWords = typeof en
export type MapLanguage = (typeof CUSTOMER_LANGUAGES)[number]

export const MAP_WORDS: Readonly<Record<MapLanguage, MapWords>> = { de, en, es, fr, it, ja, pt }

export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (_all, name: string) => String(values[name] ?? ''))
}
