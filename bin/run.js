#!/usr/bin/env node

const { join } = require('node:path')
const root = join(__dirname, '..')
const dist = join(root, 'dist')

// The version and help need so little that the cache would take longer than it saves.
if (!/^(|--version|-V|--help|-h|help)$/.test(process.argv.slice(2).join(' ')))
  require('./code-cache.js').useCodeCache(dist)
require(join(dist, 'main.js')).main(root)
