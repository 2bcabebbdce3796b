import { codesOf, type LabelsApi, type MadeLabels } from '../../api/labels.ts'
import type { Context } from '../../cli/context.ts'
import { type AppError, appError, rethrowBug, rewordError, usageError } from '../../errors.ts'
import { hasFiles } from '../../labels/folder/served-labels.ts'
import type { SentLabel } from '../../labels/request/registered-label.ts'
import type { LabelSet } from '../../wire/labels.ts'
import { defined, textOf } from '../../wire/raw.ts'
import { labelIdFor, parseLabelId } from '../../wire/return-names.ts'
import type { Return } from '../../wire/returns.ts'
import type { ActiveTransportation } from '../../wire/transportations.ts'
import { activeTransport, obstacleTo, type ReturnParcel } from './return-parcel.ts'

const SUMMARIES = {
  existing: (count: number) =>
    `Labels that were there already, saved and not made again: ${count} (--another makes one more)`,
  unregistered: (count: number) =>
    `Returns that do not show their label's code yet: ${count}. The same command with --register enters them`,
} as const

const MAX_SINGLE_NOTES = 5

export class LabelNotes {
  readonly #counts = new Map<keyof typeof SUMMARIES, number>()

  constructor(
    private readonly context: Context,
    private readonly labels: number,
  ) {}

  async note(kind: keyof typeof SUMMARIES, text: string) {
    if (this.labels <= MAX_SINGLE_NOTES) return this.context.note(text)
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
  }

  async close() {
    for (const [kind, count] of this.#counts) await this.context.note(SUMMARIES[kind](count))
  }
}

export function codesNote(set: LabelSet): string {
  const codes = codesOf(set)
  return codes.length > 0 ? ` (${codes.join(', ')})` : ''
}

export function existingNote(id: string, { set, sets }: MadeLabels, isDryRun = false): string {
  const none = `none ${isDryRun ? 'would be' : 'was'} made`
  if (!hasFiles(set)) return `${id} has a tracking code${codesNote(set)}, but no label, and ${none}`
  const which = sets > 1 ? `${sets} labels already; the newest` : 'a label already; that one'
  const saved = isDryRun ? 'would be saved' : 'is saved'
  return `${id} has ${which}${codesNote(set)} ${saved}, ${none} (--another makes one more)`
}

export function onlyRegistered(id: string, made: MadeLabels, ...hints: string[]) {
  const another = 'if the code was only registered: --another buys a label'
  return usageError(`${existingNote(id, made)}.`, ...hints, another)
}

export interface Registrar {
  context: Context
  labels: LabelsApi
  notes: LabelNotes
  registers: boolean
}

/** Enters a label's code on its return, or says how. Returns no command if the transport is over. */
export async function enterCode(
  { context, labels, notes, registers }: Registrar,
  { record, transport }: ReturnParcel,
  { outcome, set }: MadeLabels,
  report: (error: AppError) => void,
) {
  const label = labelToEnter(set)
  if (!transport || Object.keys(label).length === 0) return undefined
  const isExisting = outcome === 'existing'
  if (isExisting && isShown(label, transport)) return { registered: true }
  const { name, shopCode } = record
  const registerCommand = await updateCommand(record, transport.id, label, context)
  const code = label.carrierTrackingCode ?? 'its address'
  const read = async () =>
    activeTransport(await (await context.connection.returns()).get(textOf(record.id) ?? ''))
  try {
    const now = await read()
    if (now?.id === transport.id && isShown(label, now)) return { registered: true }
    const obstacle = obstacleTo(transport.id, { transport: now })
    if (obstacle !== undefined) {
      const message = `The label is saved, but its code is not entered on ${name}: ${obstacle}.`
      const look = await context.shellLine(['returns', 'transportations', name])
      if (registers) report(appError('partial', message, look))
      else await context.warn(`${message} See ${look}`)
      return { registered: false }
    }
    if (!registers) {
      const todo = `The return ${name} does not show ${code} yet. Enter it: ${registerCommand}`
      await notes.note('unregistered', todo)
      return { registered: false, registerCommand }
    }
    // Somebody may have entered another code on purpose.
    const other = isExisting ? textOf(now?.carrierReference) : undefined
    if (other !== undefined) throw appError('partial', `the return shows ${other}.`)
    const update = { shopCode, shipmentId: name, shipmentIdType: 'RETURN_NAME' as const }
    await labels.update(
      { ...update, shippingLabels: [label] },
      async () => {
        const then = await read()
        if (then?.id !== transport.id) return 'open'
        return isShown(label, then) ? 'happened' : 'not-happened'
      },
      async () => {
        const found = obstacleTo(transport.id, { transport: await read() })
        if (found !== undefined) throw appError('partial', `${found}.`)
      },
    )
    return { registered: true }
  } catch (error) {
    rethrowBug(error)
    if (registers) report(notEntered(error, `${code} was not entered on ${name}`, registerCommand))
    else await context.warn(`Whether ${name} shows ${code} can't be read. If not: ${registerCommand}`)
    return { registered: false, registerCommand }
  }
}

function notEntered(cause: AppError, what: string, registerCommand: string) {
  const kind = cause.kind === 'interrupted' ? 'interrupted' : 'partial'
  return rewordError(cause, `The label is saved, but ${what}: ${cause.message}`, {
    kind,
    hints: [registerCommand],
  })
}

/** A return has one parcel, so it gets all codes. */
function labelToEnter(set: LabelSet) {
  const [first] = set.shippingLabels
  const [carrierTrackingCode, ...others] = codesOf(set)
  const url = textOf(first?.url)
  const fields = {
    carrierTrackingCode,
    additionalTrackingCodes: others.length > 0 ? others : undefined,
    carrierTrackingUrl: textOf(first?.carrierTrackingUrl),
    format: url === undefined ? undefined : textOf(first?.format),
    url,
  }
  return defined(fields)
}

function isShown(label: SentLabel, { carrierReference, carrierLabel }: ActiveTransportation) {
  const { carrierTrackingCode: code, url } = label
  return code ? textOf(carrierReference) === code : textOf(carrierLabel) === url
}

/** Names the transport, as another may be active once the command runs. */
function updateCommand({ name, shopCode }: Return, transportId: string, label: SentLabel, context: Context) {
  const id = labelIdFor(name, transportId)
  const shipment = parseLabelId(id)?.name === name ? id : name
  const flags: FlagValue[] = [
    ['--tracking-code', label.carrierTrackingCode],
    ...(label.additionalTrackingCodes ?? []).map((code) => ['--additional-tracking-code', code] as const),
    ['--tracking-url', label.carrierTrackingUrl],
    ['--label-format', label.format],
    ['--label-url', label.url],
  ]
  const words = flagWords(flags)
  return context.shellLine(['labels', 'update', shipment, ...words, '--replace'], textOf(shopCode))
}

type FlagValue = readonly [flag: string, value: string | null | undefined]

export function flagWords(flags: readonly FlagValue[]): string[] {
  return flags.flatMap(([flag, value]) => {
    if (!value) return []
    return value.startsWith('-') ? [`${flag}=${value}`] : [flag, value]
  })
}
