import type { FuzzTarget } from './play.ts'

const texts = () => import('./targets/texts.ts')
const rows = () => import('./targets/rows.ts')
const labels = () => import('./targets/labels.ts')

/** Readers of foreign input by folder in test/fixtures/fuzz. */
export const TARGETS = {
  csv: async () => (await rows()).csv,
  xlsx: async () => (await rows()).xlsx,
  json: async () => (await texts()).json,
  har: async () => (await texts()).har,
  jwt: async () => (await texts()).jwt,
  dates: async () => (await texts()).dates,
  zpl: async () => (await labels()).zpl,
  pdf: async () => (await labels()).pdf,
  base64: async () => (await texts()).base64,
  terminal: async () => (await texts()).terminal,
  mcp: async () => (await import('./targets/mcp.ts')).mcp,
  requests: async () => (await import('./targets/requests.ts')).requests,
} satisfies Record<string, () => Promise<FuzzTarget>>
