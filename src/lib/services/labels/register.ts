import type { LabelsApi, MadeLabels } from '../../api/labels.ts'
import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import { AppError, rewordError } from '../../errors.ts'
import type { LabelSet, LabelUpdate } from '../../wire/labels.ts'
import type { Return } from '../../wire/returns.ts'
import type { ActiveTransportation } from '../../wire/transportations.ts'
import type { LabelNotes } from './label-notes.ts'
import { activeTransport, codesOf, type ReturnParcel, said } from './return-parcel.ts'

export interface CodeEntry {
  registered: boolean
  /** The command that enters it; none where another transport has become the active one. */
  registerCommand?: string
}

export interface Registrar {
  context: Context
  connection: Pick<Connection, 'returns'>
  labels: LabelsApi
  notes: LabelNotes
  registers: boolean
}

type Label = LabelUpdate['shippingLabels'][number]

/**
 * Enters a label's code on its return, or says how, unless the return shows it or another transport is active by now.
 * `report` takes a failure; undefined where there is nothing to enter.
 */
export async function enterCode(
  { context, connection, labels, notes, registers }: Registrar,
  { record, transport }: ReturnParcel,
  made: MadeLabels,
  report: (error: AppError) => void,
): Promise<CodeEntry | undefined> {
  const label = labelToEnter(made.set)
  if (!transport || Object.keys(label).length === 0) return undefined
  if (made.outcome === 'existing' && isShown(label, transport)) return { registered: true }
  const { name } = record
  const registerCommand = await updateCommand(record, label, context)
  const code = label.carrierTrackingCode ?? 'its address'
  try {
    const now = activeTransport(await (await connection.returns()).get(said(record.id) ?? ''))
    if (now?.id !== transport.id) {
      const moved = await otherTransport(context, name, transport.id, now?.id)
      if (registers) report(moved)
      else await context.warn(`${moved.message} See ${moved.hints[0]}`)
      return { registered: false }
    }
    if (isShown(label, now)) return { registered: true }
    if (registers) {
      if (made.outcome === 'existing') refuseToReplace(now)
      await labels.update(updateOf(record, label), async () => {
        const then = activeTransport(await (await connection.returns()).get(said(record.id) ?? ''))
        if (then?.id !== transport.id) return 'open'
        return isShown(label, then) ? 'happened' : 'not-happened'
      })
      return { registered: true }
    }
    await notes.note(
      'unregistered',
      `The return ${name} does not show ${code} yet. Enter it: ${registerCommand}`,
    )
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (registers) report(notEntered(error, `${code} was not entered on ${name}`, registerCommand))
    else await context.warn(`Whether ${name} shows ${code} can't be read. If not: ${registerCommand}`)
  }
  return { registered: false, registerCommand }
}

async function otherTransport(
  context: Pick<Context, 'shellLine'>,
  name: string,
  madeFor: string,
  active = 'none',
): Promise<AppError> {
  const message = `The label is saved, but its code is not entered on ${name}: it is for transport ${madeFor}, and ${active} is active now.`
  return new AppError('partial', message, {
    hints: [await context.shellLine(['returns', 'transportations', name], undefined)],
  })
}

/** A code may have been entered on purpose since the label was made. */
function refuseToReplace({ carrierReference }: ActiveTransportation): void {
  const other = said(carrierReference)
  if (other !== undefined) throw new AppError('partial', `the return shows ${other}.`)
}

function notEntered(cause: AppError, what: string, registerCommand: string): AppError {
  const kind = cause.kind === 'interrupted' ? 'interrupted' : 'partial'
  const message = `The label is saved, but ${what}: ${cause.message}`
  return rewordError(cause, message, { kind, hints: [registerCommand] })
}

function updateOf({ name, shopCode }: Return, label: Label): LabelUpdate {
  return { shopCode, shipmentId: name, shipmentIdType: 'RETURN_NAME', shippingLabels: [label] }
}

/** Makes one label of a set, as a return has one parcel. Further codes go with it. */
function labelToEnter(set: LabelSet): Label {
  const [first] = set.shippingLabels
  const [carrierTrackingCode, ...others] = codesOf(set)
  const url = said(first?.url)
  const fields = {
    carrierTrackingCode,
    additionalTrackingCodes: others.length > 0 ? others : undefined,
    carrierTrackingUrl: said(first?.carrierTrackingUrl),
    format: url === undefined ? undefined : said(first?.format),
    url,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** True if the transport shows the label's code, or its URL if it has no code. */
function isShown(label: Label, { carrierReference, carrierLabel }: ActiveTransportation): boolean {
  const { carrierTrackingCode: code, url } = label
  return code ? said(carrierReference) === code : said(carrierLabel) === url
}

function updateCommand(
  { name, shopCode }: Return,
  label: Label,
  context: Pick<Context, 'shellLine'>,
): Promise<string> {
  const flags: [name: string, value: string | null | undefined][] = [
    ['--tracking-code', label.carrierTrackingCode],
    ...(label.additionalTrackingCodes ?? []).map((code): [string, string] => [
      '--additional-tracking-code',
      code,
    ]),
    ['--tracking-url', label.carrierTrackingUrl],
    ['--label-format', label.format],
    ['--label-url', label.url],
  ]
  const words = flags.flatMap(([flag, value]) => {
    if (!value) return []
    return value.startsWith('-') ? [`${flag}=${value}`] : [flag, value]
  })
  return context.shellLine(['labels', 'update', name, ...words, '--replace'], said(shopCode))
}
