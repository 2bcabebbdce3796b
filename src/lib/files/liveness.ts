import { hash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { errorCode } from '../errors.ts'

/**
 * A liveness file shows whether its process lives, in any PID namespace. It is a listening socket: the kernel takes
 * connections to a stopped process and refuses those to a dead one. On other machines and disks without sockets only
 * its modification time tells, which each heartbeat renews.
 */

const BEAT_MS = 5000
const DEAD_AFTER_MS = 3 * BEAT_MS
/** Short, so that a suspended observer does not take its own pause for silence. */
const LOOK_EVERY_MS = 500
/** Age of dead files to remove: a new one seems dead until its socket listens. */
const REMOVE_AFTER_MS = 60_000
/** The same for files of which only the age tells. */
const REMOVE_UNCLEAR_AFTER_MS = 24 * 60 * 60 * 1000
const MAX_ADDRESS_BYTES = 100

/** `.rma-KERNEL-RANDOM.alive`; KERNEL is `none` without a socket. A process's drafts begin with this name. */
const LIVENESS_FILE = /^(\.rma-([0-9a-f]{16}|none)-[0-9a-f]{16}\.alive)(?:\.[\w-]+)?$/

type LifeSign = 'alive' | 'dead' | 'unclear'

interface HeldFile {
  users: number
  opening: Promise<void>
  name: string
  close: () => void
}

const heldFolders = new Map<string, HeldFile>()
const ownNames = new Set<string>()
const sweptFolders = new Set<string>()

/** All holders in this process share one file a folder. @throws the system call that failed */
export async function holdLiveness(folder: string) {
  let held = heldFolders.get(folder)
  if (held === undefined) {
    held = { users: 0, opening: Promise.resolve(), name: '', close: () => {} }
    held.opening = openIn(folder, held)
    heldFolders.set(folder, held)
  }
  const mine = held
  mine.users += 1
  const release = () => {
    mine.users -= 1
    if (mine.users > 0) return
    heldFolders.delete(folder)
    mine.close()
  }
  try {
    await mine.opening
  } catch (error) {
    release()
    throw error
  }
  return { name: mine.name, release }
}

async function openIn(folder: string, held: HeldFile) {
  if (!sweptFolders.has(folder)) {
    sweptFolders.add(folder)
    await removeAbandoned(folder)
  }
  const kernel = kernelOf(folder)
  const random = randomBytes(8).toString('hex')
  let name = `.rma-${kernel}-${random}.alive`
  const server = kernel === undefined ? undefined : await listen(folder, name)
  if (server === undefined) name = `.rma-none-${random}.alive`
  const file = join(folder, name)
  if (server === undefined) writeFileSync(file, '', { flag: 'wx' })
  ownNames.add(name)
  const beat = setInterval(() => renew(file), BEAT_MS)
  beat.unref()
  held.name = name
  held.close = () => {
    clearInterval(beat)
    server?.close()
    rmSync(file, { force: true })
    ownNames.delete(name)
  }
  shareFile(file)
}

function renew(file: string) {
  try {
    const now = new Date()
    utimesSync(file, now, now)
  } catch {
    // A missed heartbeat is safe, as holders check their locks before they send.
  }
}

/** Group members who may write into the folder may judge and remove the file. */
export function shareFile(file: string) {
  try {
    chmodSync(file, (statSync(dirname(file)).mode & 0o020) === 0 ? 0o600 : 0o660)
  } catch {
    // Some file systems have no modes.
  }
}

function kernelOf(folder: string) {
  try {
    // Containers of a machine share its boot id. Two mounts of one network disk may not share their sockets.
    const boot =
      process.platform === 'linux' ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8') : hostname()
    return hash('sha256', `${boot} ${statSync(folder).dev}`).slice(0, 16)
  } catch {
    return undefined
  }
}

async function listen(folder: string, name: string) {
  const { createServer } = await import('node:net')
  try {
    return await atAddress(folder, name, async (address) => {
      const server = createServer((caller) => caller.destroy())
      server.listen(address)
      await once(server, 'listening')
      server.on('error', () => {})
      return server.unref()
    })
  } catch {
    // Creating a plain file instead reports a faulty folder.
    return undefined
  }
}

/** Shortens the socket's address, as Node.js truncates long ones. */
async function atAddress<T>(folder: string, name: string, use: (address: string) => Promise<T>) {
  if (process.platform !== 'linux') {
    const address = join(folder, name)
    if (Buffer.byteLength(address) > MAX_ADDRESS_BYTES) throw new Error('too long')
    return use(address)
  }
  const directory = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    return await use(`/proc/self/fd/${directory}/${name}`)
  } finally {
    closeSync(directory)
  }
}

export async function askKernel(folder: string, name: string): Promise<LifeSign> {
  if (ownNames.has(name)) return 'alive'
  // Processes remove their liveness file after their locks.
  if (!lstatSync(join(folder, name), { throwIfNoEntry: false })) return 'dead'
  if (LIVENESS_FILE.exec(name)?.[2] !== kernelOf(folder)) return 'unclear'
  const { connect } = await import('node:net')
  try {
    await atAddress(folder, name, async (address) => {
      const call = connect(address)
      await once(call, 'connect').finally(() => call.destroy())
    })
    return 'alive'
  } catch (error) {
    const code = errorCode(error) ?? ''
    if (['ECONNREFUSED', 'ENOENT'].includes(code)) return 'dead'
    // EAGAIN: too many callers wait for a stopped process.
    return code === 'EAGAIN' ? 'alive' : 'unclear'
  }
}

interface Watched {
  verdict: LifeSign
  lookedAt: number
  beat: number | undefined
  silentMs: number
}

/** Judges processes over time, at most twice a second. */
export class Observer {
  readonly #watched = new Map<string, Watched>()

  constructor(
    private readonly folder: string,
    private readonly now = () => performance.now(),
  ) {}

  async judge(name: string): Promise<LifeSign> {
    const known = this.#watched.get(name)
    const now = this.now()
    if (known && now - known.lookedAt < LOOK_EVERY_MS) return known.verdict
    const verdict = await askKernel(this.folder, name)
    const watched: Watched = { verdict, lookedAt: now, beat: undefined, silentMs: 0 }
    if (verdict === 'unclear') {
      watched.beat = lstatSync(join(this.folder, name), { throwIfNoEntry: false })?.mtimeMs
      if (known && known.beat === watched.beat) {
        watched.silentMs = known.silentMs + Math.min(now - known.lookedAt, 2 * LOOK_EVERY_MS)
        watched.verdict = watched.silentMs >= DEAD_AFTER_MS ? 'dead' : known.verdict
      } else if (known) watched.verdict = 'alive'
    }
    this.#watched.set(name, watched)
    return watched.verdict
  }
}

export async function removeIfDead(folder: string, name: string) {
  if ((await askKernel(folder, name)) === 'dead') rmSync(join(folder, name), { force: true })
}

async function removeAbandoned(folder: string) {
  try {
    for (const file of readdirSync(folder)) {
      const [, name] = LIVENESS_FILE.exec(file) ?? []
      if (name !== undefined && (await isAbandoned(folder, name))) rmSync(join(folder, file), { force: true })
    }
  } catch {
    // Creating the file reports a faulty folder.
  }
}

async function isAbandoned(folder: string, name: string) {
  const verdict = await askKernel(folder, name)
  const file = lstatSync(join(folder, name), { throwIfNoEntry: false })
  if (verdict === 'alive' || file === undefined) return verdict === 'dead'
  return Date.now() - file.mtimeMs > (verdict === 'dead' ? REMOVE_AFTER_MS : REMOVE_UNCLEAR_AFTER_MS)
}
