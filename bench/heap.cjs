// Loaded before rma: on SIGUSR2 it collects garbage and writes to the file RMA_HEAP.PID what is left of the heap, in MiB.
const { writeFileSync } = require('node:fs')
const { setFlagsFromString } = require('node:v8')
const { runInNewContext } = require('node:vm')

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
process.on('SIGUSR2', () => {
  collect()
  writeFileSync(`${process.env.RMA_HEAP}.${process.pid}`, String(process.memoryUsage().heapUsed / 2 ** 20))
})
