#!/usr/bin/env node

const { join } = require('node:path')
const root = join(__dirname, '..')
const dist = join(root, 'dist')

// Frequent commands that need so little code that the cache would slow them down.
if (!/^(?:|--version|-V|--help|-h|help|__complete\b.*)$/s.test(process.argv.slice(2).join(' ')))
  require('./code-cache.js').useCodeCache(dist)
require(join(dist, 'main.js')).main(root)
