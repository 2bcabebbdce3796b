// The start of the single executable (tools/executable.mjs): the program is in it as one archive, which is unpacked where
// caches are kept, once for each build. From there it runs as when it was installed, native library and all.
const { lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { tmpdir } = require('node:os')
const { dirname, join } = require('node:path')
const { getAsset, getRawAsset } = require('node:sea')
const { cacheFolder, isTrusted } = require('./code-cache.js')

/** `{length of the index}{index: [[name, length]…]}{content…}` */
function unpackInto(folder) {
  const archive = Buffer.from(getRawAsset('archive'))
  let at = 4 + archive.readUInt32LE(0)
  for (const [name, length] of JSON.parse(archive.subarray(4, at))) {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, archive.subarray(at, at + length), { mode: 0o600 })
    at += length
  }
}

function isThere(folder) {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  return found?.isDirectory() && isTrusted(found)
}

/** Another process may be doing the same: whoever is first has made it for both. */
function unpackedIn(cache) {
  const folder = join(cache, `program-${getAsset('id', 'utf8')}`)
  if (isThere(folder)) return folder
  mkdirSync(cache, { recursive: true, mode: 0o700 })
  const unfinished = mkdtempSync(`${folder}-`)
  try {
    unpackInto(unfinished)
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!isThere(folder)) throw error
  }
  return folder
}

/** Where nothing can be kept, for this run only. */
function unpackedForOnce() {
  const folder = mkdtempSync(join(tmpdir(), 'rma-'))
  process.once('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // Windows keeps a library that is loaded.
    }
  })
  unpackInto(folder)
  return folder
}

function unpacked() {
  try {
    return unpackedIn(cacheFolder(process))
  } catch {
    return unpackedForOnce()
  }
}

createRequire(join(unpacked(), 'bin/run.js'))('./run.js')
