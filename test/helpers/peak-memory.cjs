// Loaded into a command: its last line on standard error tells its peak memory, in KiB.
const { writeSync } = require('node:fs')
process.on('exit', () => writeSync(2, `\nPEAK ${process.resourceUsage().maxRSS}\n`))
