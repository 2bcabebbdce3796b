#!/usr/bin/env node

// Runs the command from the sources: bundled afresh, not minified, into a folder that git ignores.
const { join } = require('node:path')
const root = join(__dirname, '..')

async function dev() {
  const { build } = await import('../build.mjs')
  const outDir = join(root, '.tmp/dev')
  await build({ outDir, minify: false })
  require(join(outDir, 'main.js')).main(root, '.tmp/dev')
}

dev()
