// Describes the machine of a benchmark and its other load.
import { readFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'

/**
 * Reads CPU times in ticks: total, used, stolen by the host, and used by this process with its ended children. Returns
 * undefined on systems that lack /proc.
 */
function ticks() {
  if (process.platform !== 'linux') return undefined
  const numbers = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0].trim().split(/\s+/).slice(1, 9)
  const [user, nice, system, idle, waiting, interrupts, softInterrupts, stolen] = numbers.map(Number)
  const used = user + nice + system + interrupts + softInterrupts
  const own = processTicks('self').reduce(sum)
  return { all: used + idle + waiting + stolen, used, stolen, own }
}

/** CPU time of a running process in ms; undefined on systems that lack /proc. */
export function cpuMsOf(pid) {
  if (process.platform !== 'linux') return undefined
  return 10 * processTicks(pid).slice(0, 2).reduce(sum)
}

/**
 * Reads utime, stime, cutime and cstime: fields 14 to 17, after the command's name in brackets, which may have spaces.
 */
function processTicks(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')
  return fields.slice(11, 15).map(Number)
}

const sum = (total, one) => total + one
const load = () => Number(loadavg()[0].toFixed(1))

/** Starts to watch the machine. The returned function gives the facts that are saved with the results. */
export function watchMachine() {
  const [before, loadBefore] = [ticks(), load()]
  return () => {
    const model = cpus()[0]
      ?.model.replace(/\(\w+\)| Processor| CPU.*/g, '')
      .trim()
    const where = {
      date: new Date().toISOString().slice(0, 10),
      machine: `${cpus().length} × ${model}, ${process.platform} ${process.arch}, Node.js ${process.version}`,
    }
    const after = ticks()
    if (before === undefined || after === undefined) return where
    const since = (name) => after[name] - before[name]
    const percent = (share) => Number(((100 * share) / since('all')).toFixed(1))
    return {
      ...where,
      load: [loadBefore, load()],
      otherPercent: Math.max(0, percent(since('used') - since('own'))),
      stolenPercent: percent(since('stolen')),
    }
  }
}
