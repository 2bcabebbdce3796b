import { constants, type Stats } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { errorCode } from '../../errors.ts'
import { quotedWord } from '../../output/visible.ts'
import { allOf, type Examination, type Finding, found, skipped, well } from './examination.ts'

const MB = 1_000_000
/** A mirror of a year of returns fits in, and a job of a million rows. */
const MIN_FREE_BYTES = 500 * MB

/** Whether rma may keep what it keeps, and nobody else reads it. */
export function folderExaminations({ paths, profiles }: Pick<Context, 'paths' | 'profiles'>): Examination[] {
  return [
    { id: 'files.settings', look: () => lookAtFile(profiles.path) },
    { id: 'files.config', look: () => lookAtFolder(paths.configDir, 'RMA_CONFIG_DIR') },
    { id: 'files.data', look: () => lookAtFolder(paths.dataDir, 'RMA_DATA_DIR') },
    { id: 'files.cache', look: () => lookAtFolder(paths.cacheDir, 'RMA_CACHE_DIR') },
    { id: 'files.disk', look: () => lookAtDisk(paths.dataDir) },
  ]
}

/** It holds tokens. */
async function lookAtFile(path: string): Promise<Finding> {
  const file = await statIfThere(path)
  if (file === undefined) return skipped('there is no settings file: only defaults and the environment count')
  const mode = await accessProblem(path, constants.R_OK | constants.W_OK)
  return allOf(
    [
      mode === undefined
        ? undefined
        : found(`${path} can't be read and written (${mode})`, `chmod u+rw ${quotedWord(path)}`),
      file.mode & 0o077 && process.platform !== 'win32'
        ? found(`others of this machine may read ${path}, tokens included`, `chmod 600 ${quotedWord(path)}`)
        : undefined,
    ],
    well(`${path}, for you alone`),
  )
}

async function lookAtFolder(path: string, variable: string): Promise<Finding> {
  const [there, folder] = await existing(path)
  if (!folder.isDirectory()) return found(`${there} is no folder`, `${variable}=DIR names another one`)
  const problem = await accessProblem(there, constants.W_OK | constants.X_OK)
  const isOwn = there === path
  return allOf(
    [
      problem === undefined
        ? undefined
        : found(
            `${path} can't be written${isOwn ? '' : `: ${there} can't`} (${problem})`,
            ...(isOwn && problem === 'EACCES' ? [`chmod u+rwx ${quotedWord(path)}`] : []),
            `${variable}=DIR keeps it where you may write`,
          ),
      isOwn ? opennessProblem(path, folder.mode, variable) : undefined,
    ],
    well(isOwn ? path : `${path}, made when it is needed`),
  )
}

/** Data are those of customers; the cache holds code only. */
function opennessProblem(path: string, mode: number, variable: string): Finding | undefined {
  if (process.platform === 'win32' || variable === 'RMA_CACHE_DIR') return undefined
  if (variable === 'RMA_DATA_DIR' && mode & 0o077)
    return found(`others of this machine may look into ${path}`, `chmod go-rwx ${quotedWord(path)}`)
  if (mode & 0o022)
    return found(`others of this machine may write in ${path}`, `chmod go-w ${quotedWord(path)}`)
  return undefined
}

async function lookAtDisk(path: string): Promise<Finding> {
  const [there] = await existing(path)
  const { bavail, bsize, files, ffree } = await statfs(there)
  const free = bavail * bsize
  const observed = `${Math.floor(free / MB).toLocaleString('en')} MB are free for ${path}`
  const remedies = ['rma jobs prune --older-than 90d', 'RMA_DATA_DIR=DIR keeps data on another disk']
  if (free < MIN_FREE_BYTES) return found(observed, ...remedies)
  if (files > 0 && ffree === 0) return found(`${observed}, but no file can be made (inodes)`, ...remedies)
  return well(observed)
}

/** The path, or what of it is there. */
async function existing(path: string): Promise<[string, Stats]> {
  const known = await statIfThere(path)
  if (known !== undefined || dirname(path) === path) return [path, known ?? (await stat(path))]
  return existing(dirname(path))
}

async function statIfThere(path: string) {
  return stat(path).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(errorCode(error) ?? '')) return undefined
    throw error
  })
}

async function accessProblem(path: string, mode: number): Promise<string | undefined> {
  return access(path, mode).then(
    () => undefined,
    (error: unknown) => errorCode(error) ?? 'unknown',
  )
}
