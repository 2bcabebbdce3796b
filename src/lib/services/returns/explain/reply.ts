import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Mustache from 'mustache'
import { AppError, errorCode } from '../../../errors.ts'
import {
  awaitsParcel,
  instantOf,
  lastTransport,
  nameOf,
  type ReturnFacts,
  scansOf,
} from '../../../insight/case.ts'
import { isDue } from '../../../insight/refund-due.ts'
import { isReturnOver, isTransportOver } from '../../../wire/enumerations.ts'
import { languageOfCountry } from '../../../wire/geography.ts'
import { amountText } from '../../../wire/money.ts'
import { asText, at, objectsIn } from '../../../wire/raw.ts'
import { isNumber } from '../../../wire/read.ts'
import type { Refund } from '../../../wire/refunds.ts'
import { REPLY_TEMPLATES } from './reply-templates.ts'

interface Template {
  language: string
  text: string
  /** Path of the user's own template, whether it exists or not. */
  path: string
}

/** Prefers one's own template in the folder `replies` of the settings. @throws AppError */
export async function readTemplate(
  wanted: string | undefined,
  { record }: ReturnFacts,
  configDir: string,
): Promise<Template> {
  const country = asText(at(at(record.customer, 'address'), 'countryCode'))
  const language = (wanted ?? languageOfCountry(country)).toLowerCase()
  if (!/^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/.test(language)) throw unknownLanguage(language)
  const path = join(configDir, 'replies', `${language}.mustache`)
  const text = (await readOwn(path)) ?? REPLY_TEMPLATES[language]
  if (text === undefined) throw unknownLanguage(language, path)
  return { language, text, path }
}

async function readOwn(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return undefined
    throw new AppError('config', `The template ${path} can't be read (${errorCode(cause) ?? cause}).`, {
      cause,
    })
  }
}

function unknownLanguage(language: string, path?: string): AppError {
  return new AppError('usage', `There is no message in ${JSON.stringify(language)}.`, {
    hints: [
      `--language ${Object.keys(REPLY_TEMPLATES).join(', ')}`,
      ...(path === undefined ? [] : [`or write a template of your own: ${path}`]),
    ],
  })
}

/** The message, of what is known only. @throws AppError `config` for a template that can't be understood */
export function replyText({ text, language, path }: Template, facts: ReturnFacts, timeZone: string): string {
  try {
    const message = Mustache.render(text, replyFacts(facts, language, timeZone), {}, { escape: String })
    return message.replace(/\n{3,}/g, '\n\n').trim()
  } catch (cause) {
    throw new AppError('config', `The template ${path} is not understood: ${cause}`, {
      hints: [
        'it is written in Mustache; rma returns explain RETURN --reply --template shows one that works',
      ],
      cause,
    })
  }
}

/** Names in templates: texts, and codes of the service, which are true where they hold. */
function replyFacts(facts: ReturnFacts, language: string, timeZone: string): Record<string, unknown> {
  const { record } = facts
  const transport = lastTransport(facts)
  const scan = transport && scansOf(transport).at(-1)
  const isExpected = awaitsParcel(record.status) && !isTransportOver(transport?.status)
  const date = (text: string | null | undefined) => dateText(text, language, timeZone)
  const refunds = objectsIn(facts.refunds).filter(({ amount }) => isNumber(amount))
  const told = (refund: Refund) => ({
    amount: moneyText(refund, language),
    date: date(refund.executedAt),
    ...(refund.refundType && { [refund.refundType]: true }),
  })
  const executed = refunds.filter(({ status }) => status === 'EXECUTED')
  const open = isReturnOver(record.status) && record.status !== 'CLOSED' ? [] : refunds
  return {
    customer: asText(at(record.customer, 'fullName')),
    return: nameOf(record),
    order: at(record.ecommerceOrder, 'name') ?? at(record.ecommerceOrder, 'id'),
    shop: record.shopCode,
    ...(record.status && { [record.status]: true }),
    carrier: transport?.carrierCode,
    trackingCode: transport?.carrierReference,
    trackingUrl: isExpected ? transport?.carrierTrackingUrl : undefined,
    pickupDate: isExpected && scan === undefined ? date(transport?.pickupDate) : undefined,
    lastScan: isExpected ? date(scan?.date) : undefined,
    refunded: executed.map(told),
    due: open
      .filter(({ status }) => status !== 'EXECUTED' && status !== 'FAILED')
      .map((refund) => ({ ...told(refund), ...awaited(refund, facts) })),
  }
}

function awaited({ refundMode }: Refund, facts: ReturnFacts): Record<string, true> {
  return refundMode && isDue(refundMode, facts) !== 'due' ? { [refundMode]: true } : {}
}

function dateText(text: string | null | undefined, language: string, timeZone: string): string | undefined {
  if (!text) return undefined
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text)
  const instant = isDay ? Date.parse(text) : instantOf(text)
  if (instant === undefined) return text
  const zone = isDay ? 'UTC' : timeZone
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: zone }).format(instant)
}

function moneyText({ amount, currency }: Refund, language: string): string {
  const text = amountText(amount, currency)
  const [digits = ''] = text.split(' ')
  try {
    const format = new Intl.NumberFormat(language, {
      style: 'currency',
      currency: currency ?? '',
      minimumFractionDigits: digits.split('.')[1]?.length ?? 0,
    })
    return format.format(digits as `${number}`)
  } catch {
    return text
  }
}
