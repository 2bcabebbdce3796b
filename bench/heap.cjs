// Preloaded into rma: SIGUSR2 collects garbage and writes the heap size in MiB to the file RMA_HEAP.PID.
const { writeFileSync } = require('node:fs')
const { setFlagsFromString } = require('node:v8')
const { runInNewContext } = require('node:vm')

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
process.on('SIGUSR2', () => {
  collect()
  writeFileSync(`${process.env.RMA_HEAP}.${process.pid}`, String(process.memoryUsage().heapUsed / 2 ** 20))
})
