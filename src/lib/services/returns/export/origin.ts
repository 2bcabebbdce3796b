import { lstat, readFile } from 'node:fs/promises'
import * as z from 'zod'
import { errorCode, usageError } from '../../../errors.ts'

export const originSchema = z.object({
  rmaExport: z.literal(1),
  platform: z.string(),
  merchant: z.object({ shops: z.array(z.string()), owner: z.string().optional() }),
})
type ExportOrigin = z.infer<typeof originSchema>
type Whose = Omit<ExportOrigin, 'rmaExport'>

const OTHER_PLACE = 'move it away, or choose another file with --out'

/** @throws AppError `usage` if `out` is not an export of the same returns */
export async function refuseOthers(out: string, is: Whose) {
  const there = await lstat(out).catch(() => undefined)
  if (there === undefined) return
  const was = there.isFile() ? await originOf(out) : undefined
  if (!was) throw usageError(`${out} is there, and no export of this version made it.`, OTHER_PLACE)
  const [former, here] = [was, is].map(shownOrigin)
  if (former === here) return
  throw usageError(`${out} is an export of ${former}, not of ${here}.`, OTHER_PLACE)
}

export function shownOrigin({ platform, merchant: { shops, owner } }: Whose): string {
  const unnamed = owner === undefined ? 'all shops' : `profile and token ${owner}`
  return `${platform}, ${shops.length > 0 ? `shops ${shops.join(', ')}` : unnamed}`
}

export function manifestPath(file: string): string {
  return `${file}.manifest.json`
}

/** Reads whose returns are in a file. Returns undefined if no export made the file. */
async function originOf(file: string) {
  try {
    return originSchema.safeParse(JSON.parse(await readFile(manifestPath(file), 'utf8'))).data
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}
