import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode, messageOf } from '../../errors.ts'
import type { Shop } from '../demo/catalogue.ts'
import FJORD_SE from './built-in/FJORD-SE.json'
import HARROW_UK from './built-in/HARROW-UK.json'
import LUMBRE_ES from './built-in/LUMBRE-ES.json'
import PINECREST_US from './built-in/PINECREST-US.json'
import SORA_JP from './built-in/SORA-JP.json'
import { type RuleFile, type RuleProblem, readRules } from './rules.ts'

/** A file in the data directory replaces a shop's. `exceptPostalCodes` lie behind customs, an air or a sea route. */
export const BUILT_IN_RULES = {
  'LUMBRE-ES': LUMBRE_ES,
  'HARROW-UK': HARROW_UK,
  'PINECREST-US': PINECREST_US,
  'SORA-JP': SORA_JP,
  'FJORD-SE': FJORD_SE,
} as Readonly<Record<string, RuleFile>>

interface RuleBookOptions {
  dir?: string
  onNote?: (text: string) => void
}

interface RulesInForce {
  rules: RuleFile | undefined
  source: string
  /** If there are any, the former rules stay in force. */
  problems: readonly RuleProblem[]
}

type ShopServices = Pick<Shop, 'code' | 'services'>

export class RuleBook {
  readonly #seen = new Map<string, { stamp: string; inForce: RulesInForce }>()

  constructor(private readonly options: RuleBookOptions) {}

  rulesFor(shop: ShopServices): RulesInForce {
    const { dir } = this.options
    if (dir === undefined) return builtIn(shop)
    const file = join(dir, `${shop.code}.json`)
    const stamp = stampOf(file)
    const seen = this.#seen.get(shop.code)
    if (seen?.stamp === stamp) return seen.inForce
    const inForce = stamp === NO_FILE ? builtIn(shop) : this.#readFile(file, shop, seen?.inForce)
    this.#seen.set(shop.code, { stamp, inForce })
    if (seen || stamp !== NO_FILE) this.#tell(shop, file, inForce)
    return inForce
  }

  #readFile(file: string, shop: ShopServices, before: RulesInForce | undefined): RulesInForce {
    const { rules, problems } = readFileRules(file, shop)
    if (rules) return { rules, source: file, problems }
    return { ...(before ?? builtIn(shop)), problems }
  }

  #tell(shop: ShopServices, file: string, { source, problems }: RulesInForce) {
    const { onNote = () => {} } = this.options
    if (problems.length === 0) {
      onNote(`Return methods of ${shop.code}: rules from ${source}`)
      return
    }
    const former = source === file ? 'the former rules' : `the ${source} rules`
    const lines = problems.map(({ path, message }) => `  ${path}: ${message}`)
    onNote([`${file} has mistakes; ${former} stay in force`, ...lines].join('\n'))
  }
}

function builtIn({ code }: ShopServices): RulesInForce {
  return { rules: BUILT_IN_RULES[code], source: 'built-in', problems: [] }
}

const NO_FILE = 'none'

function stampOf(file: string) {
  try {
    const { mtimeMs, size, ino } = statSync(file)
    return `${mtimeMs} ${size} ${ino}`
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? NO_FILE : String(error)
  }
}

function readFileRules(file: string, shop: ShopServices): ReturnType<typeof readRules> {
  const services = shop.services.map(({ carrierServiceCode }) => carrierServiceCode)
  try {
    return readRules(JSON.parse(readFileSync(file, 'utf8').replace(/^\ufeff/, '')), services)
  } catch (error) {
    const what = error instanceof SyntaxError ? 'not JSON' : "can't be read"
    return { problems: [{ path: 'the file', message: `${what}: ${messageOf(error)}` }] }
  }
}
