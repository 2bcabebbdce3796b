import type { Context } from '../../../cli/context.ts'
import { type FlagValues, switchFlag, textFlag } from '../../../config/flag-kinds.ts'
import { isOfKind, rethrowInterruption } from '../../../errors.ts'
import { writePage } from '../../../files/write-new-file.ts'
import { lastTransport, nameOf, type ReturnFacts } from '../../../insight/case.ts'
import { timelineOf } from '../../../insight/timeline.ts'
import { columnsOf } from '../../../output/columns.ts'
import { Money } from '../../../output/formats/cell.ts'
import type { Section } from '../../../output/formats/details.ts'
import type { FoundPoint } from '../../../output/map/point.ts'
import { toFields } from '../../../output/result.ts'
import { visible } from '../../../output/visible.ts'
import { wrapLines } from '../../../output/width.ts'
import { counted } from '../../../wire/counted.ts'
import type { LabelSet } from '../../../wire/labels.ts'
import { at, objectsIn } from '../../../wire/raw.ts'
import { fitted, isNumber } from '../../../wire/read.ts'
import type { Return } from '../../../wire/returns.ts'
import { labelSetShape } from '../../../wire/shapes.ts'
import { formatServiceDate } from '../../../wire/time.ts'
import { wordsOf } from '../../../wire/words.ts'
import { summarySection } from '../return-details.ts'
import { platformNow, readFacts, summarizeReturn } from '../return-summary.ts'
import { copyText } from './clipboard.ts'
import { timelineView } from './explain.result.ts'
import { situationOf } from './reply-facts.ts'

export const explainFlags = {
  reply: switchFlag('Write a message to the customer', { exclusive: ['html'] }),
  language: textFlag(
    'CODE',
    "Language: en, es, fr, de, it, pt, ja, or one of your own; by default the customer's",
    { dependsOn: ['reply'] },
  ),
  copy: switchFlag('Put the message on the clipboard too', { dependsOn: ['reply'] }),
  template: switchFlag('Print the sentences that messages are made of, to be changed and kept', {
    dependsOn: ['reply'],
  }),
  html: textFlag('FILE', 'Write it as a page that works offline'),
  force: switchFlag('Replace the page if it has other content', { dependsOn: ['html'] }),
}

interface ExplainInput {
  reference: string
  flags: FlagValues<typeof explainFlags>
  nearestPoint(record: Return, now: number): Promise<FoundPoint | undefined>
}

export async function explainReturn(input: ExplainInput, context: Context) {
  const { reference, flags } = input
  context.progress.start('Reading the return')
  const record = await (await context.connection.lookup()).record(reference)
  const facts = await readFacts(record, context)
  const now = await platformNow(context)
  if (flags.reply) return showReply(input, facts, now, context)
  const labels = await readLabels(facts, context)
  const timeline = timelineOf(facts, labels, now)
  const { entries, problems } = timeline
  const short = await summarizeReturn(facts, now, context)
  const summary = summarySection(short)
  const { html: path, force } = flags
  if (path !== undefined) {
    const { timelinePage } = await import('./timeline-page.ts')
    const timeZone = await context.timeZone()
    const asOf = `As of ${formatServiceDate(now, timeZone).slice(0, 16)}, ${timeZone}`
    const title = `Return ${nameOf(record)}`
    const answer = summary.fields ?? []
    const about = { title, asOf, status: record.status, answer, fields: fieldsOf(facts) }
    const html = timelinePage({ ...about, ...timeline, timeZone })
    await writePage({ what: 'page', path, html, force, flag: '--html', signal: context.io.interrupt })
    await context.note(`${title} in ${path}`)
  }
  const { id, name, shopCode, status } = record
  await context.render({
    kind: 'list',
    items: entries,
    view: timelineView,
    envelope: {
      key: 'timeline',
      rest: () => ({ ...short, problems, return: { id, name, shopCode, status } }),
    },
    overview: () => [summary, ...overview(facts, timeline)],
    lead: summary,
  })
}

/** Finds labels by client reference. Unknown references have none. */
async function readLabels({ record, transportations = [] }: ReturnFacts, context: Context) {
  const references = transportations.flatMap(({ clientReference }) => clientReference ?? [])
  const labels = await context.connection.labels()
  const found = new Map<string, LabelSet[]>()
  await Promise.all(
    [...new Set(references)].map(async (reference) => {
      try {
        const sets = await labels.find(reference, record.shopCode)
        found.set(
          reference,
          sets.map((set) => fitted(labelSetShape, set)),
        )
      } catch (error) {
        if (isOfKind(error, 'rejected', 'not-found')) return
        rethrowInterruption(error)
        await context.warn(`The labels of ${reference} can't be read: ${error.message}`)
      }
    }),
  )
  return found
}

async function showReply(
  { flags, nearestPoint }: ExplainInput,
  facts: ReturnFacts,
  now: number,
  context: Context,
) {
  const { readReplyWords, replyText } = await import('./reply.ts')
  const words = await readReplyWords(flags.language, facts, context)
  const { language, path } = words
  if (flags.template) {
    await context.note(`Kept as ${path}, and changed, its sentences take the place of these`)
    const json = { language, path, template: words.text }
    return context.render({ kind: 'text', text: words.text.trimEnd(), json })
  }
  const isHandedIn = situationOf(facts, now).sentence.startsWith('handIn')
  const point = isHandedIn ? await nearestPoint(facts.record, now) : undefined
  const { signature, profile } = await context.settings()
  const timeZone = await context.timeZone()
  const text = replyText(words, { facts, now, timeZone, signature, point })
  const unread = objectsIn(facts.refunds).filter(({ amount }) => !isNumber(amount)).length
  if (unread > 0)
    await context.warn(`The message leaves out ${counted(unread, 'refund')} without a readable amount`)
  const { columns } = context.streams.out
  const shown = columns === undefined ? text : await wrapLines(text, columns)
  await context.render({ kind: 'text', text: shown, json: { language, text } })
  if (flags.copy) await context.note(await copyText(visible(text, 'lines'), context))
  if (signature === undefined) {
    const set = ['profiles', 'set', profile?.value ?? 'NAME', '--signature', 'Your shop']
    await context.note(`Without a signature: ${await context.shellLine(set)}`)
  }
}

function overview(facts: ReturnFacts, { entries, problems }: ReturnType<typeof timelineOf>): Section[] {
  return [
    { fields: fieldsOf(facts) },
    {
      title: 'To be looked at',
      fields: problems.map((text, index) => ({ label: `${index + 1}`, value: text })),
    },
    {
      title: 'What happened',
      columns: columnsOf(timelineView),
      rows: entries.map(({ date, of, what, detail }) => [date, of, what, detail]),
    },
  ]
}

function fieldsOf(facts: ReturnFacts) {
  const { record } = facts
  const transport = lastTransport(facts)
  return toFields({
    Return: nameOf(record),
    Status: wordsOf('returnStatus', record.status),
    Shop: record.shopCode,
    Order: at(record.ecommerceOrder, 'name') ?? at(record.ecommerceOrder, 'id'),
    Customer: at(record.customer, 'fullName'),
    Refund: new Money(record.totalRefund, record.currency),
    Carrier: transport?.carrierCode,
    Tracking: transport?.carrierReference,
  })
}
