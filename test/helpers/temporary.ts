import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY_DISK = '/dev/shm'
/** Several times what a run leaves behind before its end. */
const ENOUGH_BYTES = 6 * 2 ** 30
/** Memory that the machine must have free for the files and for the processes of the tests. */
const ENOUGH_MEMORY_BYTES = 8 * 2 ** 30

/** Everything that tests leave behind lies in one folder, which goes when the run ends. */
export default function setup(): () => void {
  // Comes before the free space is measured: killed runs may have filled the disk.
  for (const place of new Set([MEMORY_DISK, tmpdir()])) removeAbandoned(place)
  const folder = mkdtempSync(join(hasMemoryDisk() ? MEMORY_DISK : tmpdir(), `rma-run-${process.pid}-`))
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

/** Removes folders of killed runs, which would take their space until the machine restarts. */
function removeAbandoned(place: string): void {
  const names = existsSync(place) ? readdirSync(place) : []
  for (const name of names) {
    const [, pid] = /^rma-run-(\d+)-/.exec(name) ?? []
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue
    try {
      rmSync(join(place, name), { recursive: true, force: true })
    } catch {
      // The folder of another user stays.
    }
  }
}
