import { fixture } from './fixture.ts'
import { pageOf, scriptServer } from './script-server.ts'

export const NOW = Date.parse('2026-05-01T12:00:00Z')
/** A full record from the specification's tables. */
const RECORD = fixture('wire/return.full.json')
export const iso = (ms: number) => new Date(ms).toISOString().replace('T', ' ')

/** A platform whose returns a test changes, and which can be out of order. */
export async function changingPlatform() {
  const returns = new Map<string, Record<string, unknown>>()
  let nowMs = NOW
  const state = { isDown: false, looks: 0, onLook: (_looks: number): void => {} }
  const change = (name: string, more: object = {}) => {
    nowMs += 1000
    const before = returns.get(name) ?? { ...RECORD, id: name, name, createdAt: iso(nowMs) }
    returns.set(name, { ...before, updatedAt: iso(nowMs), ...more })
  }
  for (const name of ['R#-1', 'R#-2', 'R#-3']) change(name)
  const server = await scriptServer(({ query }) => {
    const updatedFrom = query.get('updated_from')
    if (updatedFrom !== null) {
      state.looks += 1
      state.onLook(state.looks)
    }
    nowMs += 1000
    if (state.isDown) return { status: 503 }
    const at = (date: unknown) => Date.parse(String(date).replace(' ', 'T'))
    const found = [...returns.values()]
      .filter((one) => at(one.updatedAt) >= (updatedFrom === null ? 0 : Date.parse(`${updatedFrom}Z`)))
      .filter((one) => !query.has('status') || one.status === query.get('status'))
      .sort((one, other) => at(other.createdAt) - at(one.createdAt))
    return {
      headers: { date: new Date(nowMs).toUTCString() },
      body: pageOf(found),
    }
  })
  return { server, state, change }
}
