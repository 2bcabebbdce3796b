import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import * as z from 'zod'
import type { Context } from '../../cli/context.ts'
import { makeDataFolder } from '../../config/paths.ts'
import { AppError, errorCode } from '../../errors.ts'
import { replaceFile } from '../../files/temporary-file.ts'
import { FINAL_LABEL_FORMATS, PRINTER_LANGUAGES, SHEET_NAMES } from '../../wire/enumerations.ts'

const labelSchema = z.object({
  clientShipmentId: z.string().nullable(),
  parcel: z.int(),
  path: z.string().nullable(),
  format: z.enum(FINAL_LABEL_FORMATS),
  bytes: z.int(),
  sha256: z.string(),
  carrierTrackingCode: z.string().nullable(),
  source: z.enum(['file', 'base64', 'url', 'label-free']),
})

export type PrintedLabel = z.infer<typeof labelSchema>

const printSchema = z.object({
  version: z.literal(1),
  printedAt: z.string(),
  target: z.union([
    z.object({ file: z.string() }),
    z.object({ printer: z.string(), address: z.string() }),
    z.literal('standard output'),
  ]),
  language: z.enum(PRINTER_LANGUAGES),
  sheet: z.enum(SHEET_NAMES),
  labels: z.int(),
  pages: z.int(),
  copies: z.int(),
  files: z.array(labelSchema),
})

export interface Print extends Omit<z.infer<typeof printSchema>, 'version' | 'printedAt'> {
  data: Buffer
}

const fileOf = ({ paths }: Context) => join(paths.dataDir, 'last-print')

/** Keeps a print, even one that breaks off. */
export async function keepPrint(print: Print, context: Context): Promise<void> {
  const { data, target: where, ...record } = print
  // Another folder may be the current one by then.
  const isFile = typeof where === 'object' && 'file' in where
  const target = isFile ? { file: resolve(where.file) } : where
  const head = { ...record, version: 1, printedAt: new Date(context.io.now()).toISOString(), target }
  try {
    await makeDataFolder(context.paths.dataDir)
    await replaceFile(fileOf(context), (write) => {
      write(`${JSON.stringify(head)}\n`)
      write(data)
    })
  } catch (error) {
    if (!(error instanceof AppError) && errorCode(error) === undefined) throw error
    await context.warn(`What is printed can't be kept for --reprint-last (${errorCode(error) ?? 'no place'})`)
  }
}

/** @throws AppError `not-found` if nothing was printed yet */
export async function lastPrint(context: Context): Promise<Print> {
  const path = fileOf(context)
  let content: Buffer
  try {
    content = await readFile(path)
  } catch (cause) {
    if (errorCode(cause) !== 'ENOENT')
      throw new AppError('config', `${path} can't be read (${errorCode(cause)}).`, { cause })
    throw new AppError('not-found', 'Nothing has been printed on this machine yet.', {
      hints: ['rma labels print LABEL…'],
    })
  }
  const end = content.indexOf('\n')
  try {
    const print = printSchema.parse(JSON.parse(content.toString('utf8', 0, end)))
    return { ...print, data: content.subarray(end + 1) }
  } catch (cause) {
    throw new AppError('config', `${path} is not what rma wrote.`, {
      hints: ['print the labels anew'],
      cause,
    })
  }
}
