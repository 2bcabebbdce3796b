// Loaded into a command: its last line on standard error tells its peak memory in KiB, and its processor time in ms.
// `maxRSS` would count the parent's memory, too.
const { readFileSync, writeSync } = require('node:fs')
const { isMainThread } = require('node:worker_threads')
process.on('exit', () => {
  if (!isMainThread) return
  const [, peak] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))
  const { user, system } = process.cpuUsage()
  writeSync(2, `\nPEAK ${peak} CPU ${Math.round((user + system) / 1000)}\n`)
})
