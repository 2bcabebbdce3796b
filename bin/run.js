#!/usr/bin/env node

// Node.js 22 and later keep compiled code between runs; Node.js 20 has no such cache.
require('node:module').enableCompileCache?.()
require('../dist/main.js').main(require('node:path').join(__dirname, '..'))
