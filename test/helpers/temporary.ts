import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY_DISK = '/dev/shm'
/** Space required on the memory disk: several times the files of a test run. */
const ENOUGH_BYTES = 6 * 2 ** 30
/** Free memory required for the files and processes of the tests. */
const ENOUGH_MEMORY_BYTES = 8 * 2 ** 30

/** Puts all temporary files into one folder, removed when the run ends. */
export default function setup(): () => void {
  // Comes before the free space is measured: killed runs may have filled the disk.
  for (const place of new Set([MEMORY_DISK, tmpdir()])) removeAbandoned(place)
  const folder = mkdtempSync(join(hasMemoryDisk() ? MEMORY_DISK : tmpdir(), `rma-run-${process.pid}-`))
  // Database servers run as another user, in a folder inside this one.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** True if a memory disk has room. Its files survive a killed process, too, and sync 100 times as fast. */
function hasMemoryDisk(): boolean {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8')
    const { bavail, bsize } = statfsSync(MEMORY_DISK)
    const [, availableKib] = /^MemAvailable: +(\d+) kB$/m.exec(readFileSync('/proc/meminfo', 'utf8')) ?? []
    return (
      /^tmpfs \/dev\/shm tmpfs (?!\S*noexec)/m.test(mounts) &&
      bavail * bsize >= ENOUGH_BYTES &&
      Number(availableKib) * 1024 >= ENOUGH_MEMORY_BYTES
    )
  } catch {
    return false
  }
}

/** Removes folders of killed runs, which would fill memory until the machine restarts. */
function removeAbandoned(place: string): void {
  const names = existsSync(place) ? readdirSync(place) : []
  for (const name of names) {
    const [, pid] = /^rma-run-(\d+)-/.exec(name) ?? []
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue
    try {
      rmSync(join(place, name), { recursive: true, force: true })
    } catch {
      // The folder belongs to another user.
    }
  }
}
