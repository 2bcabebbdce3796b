import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY_DISK = '/dev/shm'
/** Several times what a run leaves behind before its end, in memory that the tests themselves do without. */
const ENOUGH_BYTES = 6 * 2 ** 30

/** Everything that tests leave behind lies in one folder, which goes when the run ends. */
export default function setup(): () => void {
  // A full memory disk is no memory disk until what killed runs left in it is gone.
  removeAbandoned()
  const place = hasMemoryDisk() ? MEMORY_DISK : tmpdir()
  const folder = mkdtempSync(join(place, `rma-run-${process.pid}-`))
  // A database server runs as another user, in a folder of its own in here.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** Files in memory outlast a killed process like those on any disk, and a sync takes a hundredth of the time. */
function hasMemoryDisk(): boolean {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8')
    const { bavail, bsize } = statfsSync(MEMORY_DISK)
    const isFree = Math.min(bavail * bsize, freemem()) >= ENOUGH_BYTES
    return /^tmpfs \/dev\/shm tmpfs (?!\S*noexec)/m.test(mounts) && isFree
  } catch {
    return false
  }
}

/** Removes folders of killed runs, which would take memory until the machine restarts. */
function removeAbandoned(): void {
  if (!existsSync(MEMORY_DISK)) return
  for (const name of readdirSync(MEMORY_DISK)) {
    const [, pid] = /^rma-run-(\d+)-/.exec(name) ?? []
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      rmSync(join(MEMORY_DISK, name), { recursive: true, force: true })
  }
}
