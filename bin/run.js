#!/usr/bin/env node

const { join } = require('node:path')
const root = join(__dirname, '..')
const dist = join(root, 'dist')

// The version is asked for so often, and needs so little, that the cache would take longer than it saves.
if (!/^(--version|-V)$/.test(process.argv[2] ?? '')) require('./code-cache.js').useCodeCache(dist)
require(join(dist, 'main.js')).main(root)
