import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { makeDataFolder } from '../../config/paths.ts'
import { AppError, errorCode } from '../../errors.ts'
import { askKernel, holdLiveness } from '../../files/liveness.ts'
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
  /** Name of its liveness file. */
  alive: string
  file: string
}

const FILE = /^sandbox-[\w-]+\.json$/

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
  const liveness = await holdLiveness(dir)
  for (const place of await placesIn(dir)) if (await isDead(place)) await removePlace(place.file)
  // Containers that share the folder may share process ids and ports.
  const file = join(dir, `sandbox-${randomBytes(6).toString('hex')}-${new URL(running.baseUrl).port}.json`)
  const place = { ...running, pid: process.pid, host: hostname(), alive: liveness.name }
  const text = JSON.stringify(place, undefined, 2)
  await replaceFile(file, `${text}\n`)
  const certificateFile = file.replace(/json$/, 'pem')
  if (running.certificate !== undefined) await replaceFile(certificateFile, running.certificate)
  const withdraw = async () => {
    await removePlace(file)
    liveness.release()
  }
  return { withdraw, certificateFile }
}

async function removePlace(file: string): Promise<void> {
  for (const one of [file, file.replace(/json$/, 'pem')]) await rm(one, { force: true })
}

/** Finds the one that runs, of several the one at `baseUrl`. @throws AppError `unavailable` if none runs, `usage` if several do */
export async function findRunning(
  dirs: readonly string[],
  baseUrl: string | undefined,
): Promise<RunningSandbox> {
  const places = (await Promise.all(dirs.map(placesIn))).flat().filter(({ host }) => host === hostname())
  const wanted = places.filter((place) => baseUrl === undefined || isAt(place, baseUrl))
  const alive: Place[] = []
  for (const place of wanted) if (!(await isDead(place))) alive.push(place)
  const [running, another] = alive
  if (running && !another) return running
  if (running) {
    throw new AppError('usage', 'Several sandboxes are running.', {
      hints: alive.map((place) => `--base-url ${place.baseUrl}`),
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
  const texts = ['baseUrl', 'controlUrl', 'controlToken', 'host', 'alive']
  return (
    texts.every((name) => typeof Reflect.get(value, name) === 'string') &&
    Number.isInteger(Reflect.get(value, 'pid')) &&
    URL.canParse(String(Reflect.get(value, 'baseUrl')))
  )
}

/** Compares origins, since a base URL may be written with or without its path. */
function isAt(place: Place, baseUrl: string): boolean {
  return new URL(place.baseUrl).origin === new URL(baseUrl).origin
}

async function isDead({ file, alive }: Place): Promise<boolean> {
  return (await askKernel(dirname(file), alive)) === 'dead'
}
