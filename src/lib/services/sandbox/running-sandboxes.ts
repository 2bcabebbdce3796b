import { readdir, readFile, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { makeDataFolder } from '../../config/paths.ts'
import { AppError, errorCode } from '../../errors.ts'
import { removeStaleFiles, replaceFile } from '../../files/temporary-file.ts'

export interface RunningSandbox {
  baseUrl: string
  controlUrl: string
  controlToken: string
  /** PEM; undefined without TLS. */
  certificate?: string | undefined
}

interface Place extends RunningSandbox {
  pid: number
  host: string
  file: string
}

const FILE = /^sandbox-\d+-\d+\.json$/

/** Folder of a user's sandboxes that keep their data in a place of their own: only their base URL names them. */
export function elsewhereFolder(cacheDir: string): string {
  return join(cacheDir, 'sandboxes')
}

/**
 * Writes a file for its owner alone, one a process: several may run on the same data. Clears away those of dead
 * processes; the result takes this one away.
 */
export async function announce(
  dir: string,
  running: RunningSandbox,
): Promise<{ withdraw: () => Promise<void>; certificateFile: string }> {
  await makeDataFolder(dir)
  await removeStaleFiles(dir)
  for (const { file } of (await placesIn(dir)).filter(isDead)) {
    for (const one of [file, file.replace(/json$/, 'pem')]) await rm(one, { force: true })
  }
  const file = join(dir, `sandbox-${process.pid}-${new URL(running.baseUrl).port}.json`)
  const text = JSON.stringify({ ...running, pid: process.pid, host: hostname() }, undefined, 2)
  await replaceFile(file, `${text}\n`)
  const certificateFile = file.replace(/json$/, 'pem')
  if (running.certificate !== undefined) await replaceFile(certificateFile, running.certificate)
  const withdraw = async () => {
    for (const one of [file, certificateFile]) await rm(one, { force: true })
  }
  return { withdraw, certificateFile }
}

/** Finds the one that runs, of several the one at `baseUrl`. @throws AppError `unavailable` if none runs, `usage` if several do */
export async function findRunning(
  dirs: readonly string[],
  baseUrl: string | undefined,
): Promise<RunningSandbox> {
  const places = (await Promise.all(dirs.map(placesIn))).flat().filter(({ host }) => host === hostname())
  const wanted = places.filter((place) => baseUrl === undefined || isAt(place, baseUrl))
  const [running, another] = wanted.filter((place) => !isDead(place))
  if (running && !another) return running
  if (running) {
    throw new AppError('usage', 'Several sandboxes are running.', {
      hints: wanted.filter((place) => !isDead(place)).map((place) => `--base-url ${place.baseUrl}`),
    })
  }
  const [dead] = wanted
  const where = baseUrl === undefined ? '' : ` at ${baseUrl}`
  throw new AppError(
    'unavailable',
    dead
      ? `The sandbox at ${dead.baseUrl} is gone: its process ${dead.pid} ended without a word.`
      : `No sandbox of this machine is running${where}.`,
    {
      hints: [
        'rma sandbox start, in another terminal',
        'one that keeps its data elsewhere is found with --data DIR or --base-url URL',
      ],
    },
  )
}

async function placesIn(dir: string): Promise<Place[]> {
  const names = await readdir(dir).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return []
    throw new AppError('config', `${dir} can't be read (${errorCode(error) ?? String(error)}).`, {
      cause: error,
    })
  })
  const places = await Promise.all(
    names.filter((name) => FILE.test(name)).map((name) => readPlace(join(dir, name))),
  )
  return places.filter((place) => place !== undefined)
}

async function readPlace(file: string): Promise<Place | undefined> {
  try {
    const place: unknown = JSON.parse(await readFile(file, 'utf8'))
    return isPlace(place) ? { ...place, file } : undefined
  } catch {
    // Gone meanwhile, or not yet written.
    return undefined
  }
}

function isPlace(value: unknown): value is Omit<Place, 'file'> {
  if (typeof value !== 'object' || value === null) return false
  const texts = ['baseUrl', 'controlUrl', 'controlToken', 'host']
  return (
    texts.every((name) => typeof Reflect.get(value, name) === 'string') &&
    Number.isInteger(Reflect.get(value, 'pid')) &&
    URL.canParse(String(Reflect.get(value, 'baseUrl')))
  )
}

/** By origin: a base URL may be written with or without its path. */
function isAt(place: Place, baseUrl: string): boolean {
  return new URL(place.baseUrl).origin === new URL(baseUrl).origin
}

function isDead({ pid }: Place): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return errorCode(error) === 'ESRCH'
  }
}
