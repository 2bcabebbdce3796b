import type { AppError, CarrierErrorDetail, ErrorDetail } from '../errors.ts'
import { stringifyJson } from '../wire/json.ts'
import { joinParts } from '../wire/raw.ts'
import { visible } from './visible.ts'

export function formatError(error: AppError): string {
  const lines = error.details.flatMap((detail) => [
    detailLine(detail),
    ...(detail.carrierErrors ?? []).map((carrier) => `  ${carrierLine(carrier)}`),
  ])
  if (error.requestId) lines.push(`Request id: ${visible(error.requestId)}`)
  return [
    `Error: ${visible(error.message, 'lines').replaceAll('\n', '\n  ')}`,
    ...lines.map((line) => `  ${line}`),
    ...error.hints.map((hint) => `Try: ${visible(hint)}`),
  ].join('\n')
}

/** Returns one line of JSON with stable keys. */
export function errorJson(error: AppError): string {
  const { kind, exitCode, message, hints, status, requestId, details } = error
  const errors = details.length > 0 ? details : undefined
  return stringifyJson({ error: { kind, exitCode, message, hints, status, requestId, errors } })
}

function detailLine({ code, message, path }: ErrorDetail) {
  if (path && WITHOUT_SUBJECT.test(message)) return joined(code, path, message)
  // Many messages already contain the path.
  const shownPath = path && !message.includes(path) ? `(${path})` : undefined
  return joined(code, message, shownPath)
}

const WITHOUT_SUBJECT = /^(?:is|are|has|have|must|needs|takes|belongs|can|does|may|expected)\b/

function carrierLine({ carrierName, carrierService, code, message }: CarrierErrorDetail) {
  const carrier = joined(carrierName, carrierService)
  return joined(carrier && `${carrier}:`, code, message)
}

function joined(...parts: (string | undefined)[]) {
  return joinParts(
    parts.map((part) => visible(part ?? '')),
    ' ',
  )
}
