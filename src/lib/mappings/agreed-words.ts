import { join } from 'node:path'
import * as z from 'zod'
import { readJsonFile, writeJsonFile } from '../files/json-file.ts'
import { makeFolders } from '../files/make-folder.ts'

const VERSION = 1

const agreedSchema = z.object({
  version: z.literal(VERSION),
  words: z.record(z.string(), z.record(z.string(), z.string())),
})

interface Paths {
  dataDir: string
}

const fileIn = ({ dataDir }: Paths) => join(dataDir, 'mapping-words.json')

async function readAgreed(paths: Paths) {
  return (await readJsonFile(fileIn(paths), agreedSchema, VERSION))?.words ?? {}
}

export async function agreedWords(paths: Paths, name: string): Promise<Readonly<Record<string, string>>> {
  return (await readAgreed(paths))[name] ?? {}
}

/** Saves statuses that the user confirmed, so that a push does not ask again. */
export async function saveAgreedWords(paths: Paths, name: string, words: Readonly<Record<string, string>>) {
  const agreed = await readAgreed(paths)
  await makeFolders(paths.dataDir, 0o700)
  const own = { ...agreed[name], ...words }
  await writeJsonFile(fileIn(paths), { version: VERSION, words: { ...agreed, [name]: own } })
}
