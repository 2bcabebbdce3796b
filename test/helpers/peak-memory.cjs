// Preloaded into a command: the last line of standard error has its peak memory in KiB and CPU time in ms. `maxRSS`
// would also count the parent's memory.
const { readFileSync, writeSync } = require('node:fs')
const { isMainThread } = require('node:worker_threads')
process.on('exit', () => {
  if (!isMainThread) return
  const [, peak] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))
  const { user, system } = process.cpuUsage()
  writeSync(2, `\nPEAK ${peak} CPU ${Math.round((user + system) / 1000)}\n`)
})
