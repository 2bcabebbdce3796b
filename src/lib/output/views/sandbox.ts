import type { View } from '../renderer.ts'

export interface FaultRow {
  id: string
  route: string
  kind: string
  rate: number
  count?: number | undefined
  after: number
  seed: number
  seen: number
  hits: number
}

export const faultsView: View<FaultRow> = {
  columns: [
    { name: 'id', header: 'ID', value: (f) => f.id },
    { name: 'route', header: 'ROUTE', value: (f) => f.route, flexible: true },
    { name: 'kind', header: 'KIND', value: (f) => f.kind },
    { name: 'rate', header: 'RATE', value: (f) => f.rate, kind: 'number' },
    { name: 'count', header: 'COUNT', value: (f) => f.count, kind: 'number' },
    { name: 'seen', header: 'SEEN', value: (f) => f.seen, kind: 'number' },
    { name: 'hits', header: 'HITS', value: (f) => f.hits, kind: 'number' },
  ],
  extra: [
    { name: 'after', header: 'AFTER', value: (f) => f.after, kind: 'number' },
    { name: 'seed', header: 'SEED', value: (f) => f.seed, kind: 'number' },
  ],
  empty: 'No faults: the sandbox answers as it should',
}

export interface RequestRow {
  number: number
  time: string
  method: string
  path: string
  status: number | null
  durationMs: number
  requestId: string | null
  faultId: string | null
  bytes: number
}

export const requestsView: View<RequestRow> = {
  columns: [
    { name: 'time', header: 'TIME', value: (r) => r.time, kind: 'date' },
    { name: 'method', header: 'METHOD', value: (r) => r.method },
    { name: 'path', header: 'PATH', value: (r) => r.path, flexible: true },
    { name: 'status', header: 'STATUS', value: (r) => r.status ?? 'none' },
    { name: 'ms', header: 'MS', value: (r) => r.durationMs, kind: 'number' },
    { name: 'bytes', header: 'BYTES', value: (r) => r.bytes, kind: 'number' },
    { name: 'fault', header: 'FAULT', value: (r) => r.faultId },
  ],
  extra: [
    { name: 'number', header: 'NUMBER', value: (r) => r.number, kind: 'number' },
    { name: 'request-id', header: 'REQUEST ID', value: (r) => r.requestId },
  ],
  empty: 'No such requests',
}

export interface AdvanceRow {
  now: string
  returns: number
  events: number
  refunds: number
  expired: number
}

export const advanceView: View<AdvanceRow> = {
  columns: [
    { name: 'now', header: 'NOW', value: (a) => a.now, kind: 'date' },
    { name: 'returns', header: 'RETURNS', value: (a) => a.returns, kind: 'number' },
    { name: 'events', header: 'EVENTS', value: (a) => a.events, kind: 'number' },
    { name: 'refunds', header: 'REFUNDS', value: (a) => a.refunds, kind: 'number' },
    { name: 'expired', header: 'EXPIRED', value: (a) => a.expired, kind: 'number' },
  ],
  empty: 'Nothing',
}

export interface PlayedRow {
  step: number
  do: string
  as?: string | undefined
  return: string | null
  returnId: string | null
  time: string
  outcome: string
  detail: string
}

export const playedView: View<PlayedRow> = {
  columns: [
    { name: 'step', header: 'STEP', value: (s) => s.step, kind: 'number' },
    { name: 'do', header: 'DO', value: (s) => s.do },
    { name: 'return', header: 'RETURN', value: (s) => s.return, identifies: true },
    { name: 'outcome', header: 'OUTCOME', value: (s) => s.outcome, kind: 'status' },
    { name: 'detail', header: 'DETAIL', value: (s) => s.detail, flexible: true },
  ],
  extra: [
    { name: 'as', header: 'AS', value: (s) => s.as },
    { name: 'return-id', header: 'RETURN ID', value: (s) => s.returnId },
    { name: 'time', header: 'TIME', value: (s) => s.time, kind: 'date' },
  ],
  empty: 'No steps',
}
