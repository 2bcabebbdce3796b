#!/usr/bin/env node

const { join } = require('node:path')
const root = join(__dirname, '..')
const dist = join(root, 'dist')

// What is asked for so often, and needs so little, would take longer with the cache than without it.
if (!/^(?:|--version|-V|--help|-h|help|__complete\b.*)$/s.test(process.argv.slice(2).join(' ')))
  require('./code-cache.js').useCodeCache(dist)
require(join(dist, 'main.js')).main(root)
