import { readdirSync } from 'node:fs'

/** Paths of all files below a folder whose names have an ending, relative to the folder. */
export const filesBelow = (folder: string, ending: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(ending))
