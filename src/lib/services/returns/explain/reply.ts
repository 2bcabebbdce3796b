import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Mustache from 'mustache'
import { parse } from 'yaml'
import type { Context } from '../../../cli/context.ts'
import { appError, causedBy, errorCode, usageError } from '../../../errors.ts'
import { isExecuted, nameOf, type ReturnFacts } from '../../../insight/case.ts'
import type { FoundPoint } from '../../../output/map/point.ts'
import { addressLines } from '../../../wire/address-lines.ts'
import { isReturnOver } from '../../../wire/enumerations.ts'
import { languagesOf } from '../../../wire/geography.ts'
import { amountText } from '../../../wire/money.ts'
import { asText, at, joinParts, objectsIn } from '../../../wire/raw.ts'
import { isDay, parseServiceDate } from '../../../wire/time.ts'
import { carrierName } from '../../../wire/words.ts'
import de from './replies/de.yaml'
import en from './replies/en.yaml'
import es from './replies/es.yaml'
import fr from './replies/fr.yaml'
import it from './replies/it.yaml'
import ja from './replies/ja.yaml'
import pt from './replies/pt.yaml'
import { type MoneyLine, moneyLines, situationOf } from './reply-facts.ts'

const BUILT_IN: Readonly<Record<string, string>> = { en, es, fr, de, it, pt, ja }

interface ReplyWords {
  language: string
  /** Path of the shop's own file, whether it exists or not. */
  path: string
  /** The file's text: the shop's, else the built-in one. */
  text: string
  /** Parsed files, the shop's first. The built-in one fills in missing sentences. */
  files: readonly unknown[]
}

/** Returns the code for a language's native or English name, else the text. */
function languageNamed(text: string) {
  const name = text.toLowerCase()
  const isNamed = (code: string) =>
    ['en', code].some(
      (locale) => new Intl.DisplayNames(locale, { type: 'language' }).of(code)?.toLowerCase() === name,
    )
  return Object.keys(BUILT_IN).find(isNamed) ?? name
}

/** @param wanted the language, else the customer's. @throws AppError `usage`, `config` */
export async function readReplyWords(
  wanted: string | undefined,
  { record }: ReturnFacts,
  context: Context,
): Promise<ReplyWords> {
  const { replyTemplates } = await context.settings()
  const folder = replyTemplates ?? join(context.paths.configDir, 'replies')
  const own = await languagesIn(folder, replyTemplates !== undefined)
  const known = [...new Set([...Object.keys(BUILT_IN), ...own])]
  const language = wanted ? languageNamed(wanted) : await customerLanguage(record.customer, known, context)
  const path = join(folder, `${language}.yaml`)
  if (!known.includes(language)) {
    throw usageError(
      `There is no message in ${JSON.stringify(language)}.`,
      `--language ${known.join(', ')}`,
      `or write sentences of your own: ${path}`,
    )
  }
  try {
    const file = own.includes(language) ? await readFile(path, 'utf8') : undefined
    const texts = [file, BUILT_IN[language]].filter((text) => text !== undefined)
    return { language, path, text: texts[0] ?? '', files: texts.map((text) => parse(text)) }
  } catch (cause) {
    throw causedBy(cause, 'config', `${path} can't be read: ${cause}`)
  }
}

async function languagesIn(folder: string, mustExist: boolean) {
  const names = await readdir(folder).catch((cause: unknown) => {
    if (errorCode(cause) === 'ENOENT' && !mustExist) return []
    throw causedBy(cause, 'config', `The templates in ${folder} can't be read (${errorCode(cause)}).`)
  })
  return names.filter((name) => name.endsWith('.yaml')).map((name) => name.slice(0, -'.yaml'.length))
}

/** Falls back to English for a language without a file. Asks if several are spoken at the address. */
async function customerLanguage(customer: unknown, known: readonly string[], { questions }: Context) {
  const address = at(customer, 'address')
  const country = asText(at(address, 'countryCode'))
  const spoken = languagesOf(country, asText(at(address, 'postalCode')))
  const languages = [...new Set(spoken.map((one) => (known.includes(one) ? one : 'en')))]
  if (languages.length < 2) return languages[0] ?? 'en'
  const which = `In ${country} customers speak ${languages.join(' or ')}`
  const answer = questions.canAsk
    ? await questions.askText(`${which}. Which one does this customer speak?`, 'nothing was written')
    : ''
  const chosen = languages.find((one) => one === answer.toLowerCase())
  if (chosen !== undefined) return chosen
  const hints = languages.map((one) => `--language ${one}`)
  throw usageError(`${which}, and the address does not tell which.`, ...hints)
}

interface ReplyInput {
  facts: ReturnFacts
  now: number
  timeZone: string
  signature: string | undefined
  /** Nearest drop-off point, if the customer needs one. */
  point: FoundPoint | undefined
}

/** @throws AppError `config` for a sentence that can't be used */
export function replyText(words: ReplyWords, { facts, now, timeZone, signature, point }: ReplyInput): string {
  const { record } = facts
  const locale = localeOf(words.language, asText(at(at(record.customer, 'address'), 'countryCode')))
  const date = (value: unknown) => dateText(value, locale, timeZone)
  const { sentence, transport, deadline, lastScan, isParcelComing } = situationOf(facts, now)
  const known: Record<string, unknown> = {
    customer: asText(at(record.customer, 'fullName')),
    return: nameOf(record),
    order: at(record.ecommerceOrder, 'name') ?? at(record.ecommerceOrder, 'id'),
    shop: record.shopCode,
    ...(record.status && { [record.status]: true }),
    carrier: carrierName(transport?.carrierCode),
    trackingCode: transport?.carrierReference,
    trackingUrl: transport?.carrierTrackingUrl,
    deadline: date(deadline),
    pickupDate: date(transport?.pickupDate),
    lastScan: date(lastScan),
    destination: placeText(record.destination),
    signature,
  }
  const say = (path: string, more: object = {}) => rendered(words, path, { ...known, ...more })
  known.name = say('name')
  const money = moneyLines(facts).map((line) => {
    const more = moneyFacts(line, facts, locale)
    const when = line.mode && say(`when.${line.mode}`)
    return say(`refund.${line.type}.${line.state}`, { ...more, date: date(line.date), when })
  })
  if (money.length === 0 && isReturnOver(record.status) && facts.refunds?.every((one) => !isExecuted(one))) {
    money.push(say('noRefund'))
  }
  const answer = [
    say(`status.${sentence}`),
    isParcelComing && say('parcelComing'),
    point && say('point', pointFacts(point, locale)),
    sentence.startsWith('onItsWay') && known.trackingUrl && say('tracking'),
  ]
  const parts = {
    greeting: say('greeting'),
    answer: joinParts(answer, '\n'),
    money: money.join('\n'),
    closing: say('closing'),
  }
  const text = say('message', parts).replace(/\n{3,}/g, '\n\n')
  return words.language === 'it' ? text.replace(BEFORE_VOWEL, (_, dal = '') => `${dal}l'`) : text
}

/** Matches `il 8 dicembre 2026`, which Italian writes `l'8`: eight and eleven begin with a vowel. */
const BEFORE_VOWEL = /\b(?:il|(dal)) (?=(?:8|11) \p{L}+ \d{4})/gu
/** Ordinal for the first day of a month, by language. */
const FIRST: Readonly<Record<string, string>> = { it: '1º ', fr: '1er ' }

/** @param path `status.handIn` */
function rendered({ files, language, path: file }: ReplyWords, path: string, facts: object) {
  const template = files
    .map((sentences) => path.split('.').reduce<unknown>(at, sentences))
    .find((one) => one !== undefined && one !== null)
  try {
    if (typeof template === 'string') return Mustache.render(template, facts, {}, { escape: String }).trim()
  } catch (cause) {
    throw causedBy(cause, 'config', `${path} in ${file} is not understood: ${cause}`)
  }
  throw appError(
    'config',
    `${file} has no sentence ${path}.`,
    `rma returns explain RETURN --reply --template --language ${BUILT_IN[language] ? language : 'en'} shows all`,
  )
}

function moneyFacts({ type, amount, currency, lineIds }: MoneyLine, { record }: ReturnFacts, locale: string) {
  const items = objectsIn(record.returnLineItems).filter(({ refundType }) => refundType === 'EXCHANGE')
  const wanted = items
    .filter(({ id }) => items.length === 1 || lineIds.includes(id))
    .flatMap(({ exchangeLineItems }) => objectsIn(exchangeLineItems))
    .map(({ productName, variantName, quantity }) => {
      const name = joinParts([productName, variantName && `(${variantName})`], ' ')
      return Number(String(quantity)) > 1 ? `${quantity} × ${name}` : name
    })
  return {
    amount: moneyText(amount, currency, locale),
    items: type === 'EXCHANGE' ? new Intl.ListFormat(locale).format(wanted) : undefined,
  }
}

const MILE_KM = 1.609344

function pointFacts({ record, name, distanceKm, ahead, opening }: FoundPoint, locale: string) {
  const inMiles = /-(?:US|GB)$/.test(locale)
  const unit = inMiles ? 'mile' : 'kilometer'
  const distance = new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 1 })
  // 5 January 1970 was a Monday.
  const day = ahead && Date.UTC(1970, 0, 5 + ahead.weekday)
  return {
    point: name,
    address: placeText(record),
    distance: distanceKm && distance.format(inMiles ? distanceKm / MILE_KM : distanceKm),
    today: ahead?.isToday,
    day: new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(day),
    times: opening.state === 'always' ? undefined : ahead?.times,
    always: opening.state === 'always',
  }
}

function localeOf(language: string, country: string | undefined) {
  const locale = `${language}-${country?.toUpperCase()}`
  return /^[a-z]{2,3}-[A-Z]{2}$/.test(locale) ? locale : language
}

function placeText(party: unknown) {
  const address = at(party, 'address')
  if (!asText(at(address, 'line1'))) return undefined
  return joinParts([asText(at(party, 'fullName')), ...addressLines(address as object).all])
}

function dateText(value: unknown, locale: string, timeZone: string) {
  if (value === undefined || value === null || value === '') return undefined
  const isWhole = isDay(String(value))
  const instant = isWhole
    ? Date.parse(String(value))
    : typeof value === 'number'
      ? value
      : parseServiceDate(value)
  if (instant === undefined) return String(value)
  const zone = isWhole ? 'UTC' : timeZone
  const text = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: zone }).format(instant)
  return text.replace(/^1 /, FIRST[locale.slice(0, 2)] ?? '1 ')
}

function moneyText(amount: string, currency: string | null | undefined, locale: string) {
  const text = amountText(amount, currency)
  const [digits = ''] = text.split(' ')
  try {
    const format = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency: currency ?? '',
      minimumFractionDigits: digits.split('.')[1]?.length ?? 0,
    })
    return format.format(digits as `${number}`)
  } catch {
    return text
  }
}
