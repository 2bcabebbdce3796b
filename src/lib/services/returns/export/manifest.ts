import { readFile, rm } from 'node:fs/promises'
import * as z from 'zod'
import { errorCode } from '../../../errors.ts'
import type { CountMismatch } from '../../../walk/compare.ts'
import type { ExportFormat } from './formats.ts'

/** Content of the manifest beside the file. Times are ISO 8601 in UTC. */
export interface ExportManifest {
  rmaExport: 1
  file: string
  format: ExportFormat
  bytes: number
  sha256: string
  /** In the file. */
  records: number
  /** Proven: the file holds all that the platform counts of what was created until `until`. */
  complete: boolean
  until: string
  /** Number that the platform counts; null if it does not count. */
  totalRecords: number | null
  /** In the file, of what was created until `until`. */
  counted: number
  duplicatesRemoved: number
  /** Read, and no longer there when it was counted: left out. */
  goneMeanwhile: number
  /** Times of creation of which not as many are in the file as the platform counts. */
  differences: { from: string; to: string; totalRecords: number | null; counted: number }[]
  platform: string
  shop: string | null
  /** Filters as typed. */
  filters: Record<string, string>
  startedAt: string
  finishedAt: string
}

export function manifestPath(file: string): string {
  return `${file}.manifest.json`
}

export function shownDifference({ fromMs, toMs, there, here }: CountMismatch) {
  const iso = (ms: number) => new Date(ms).toISOString()
  return { from: iso(fromMs), to: iso(toMs), totalRecords: there ?? null, counted: here }
}

const origin = z.object({ rmaExport: z.literal(1), platform: z.string(), shop: z.string().nullable() })

/** Whose returns are in the file; undefined where no export made it. */
export async function originOf(file: string): Promise<z.infer<typeof origin> | undefined> {
  try {
    return origin.safeParse(JSON.parse(await readFile(manifestPath(file), 'utf8'))).data
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Removes the manifest of the former file, which would describe the new one wrongly. */
export async function removeManifest(file: string): Promise<void> {
  await rm(manifestPath(file), { force: true })
}
