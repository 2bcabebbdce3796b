// The start of the single executable (tools/executable.mjs): the program is in it as one archive, which is unpacked where
// caches are kept, once for each build. From there it runs as when it was installed, native library and all.
const { accessSync, constants, existsSync, lstatSync, mkdirSync } = require('node:fs')
const {
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require('node:fs')
const { createRequire } = require('node:module')
const { tmpdir } = require('node:os')
const { basename, dirname, join } = require('node:path')
const { getAsset, getRawAsset } = require('node:sea')
const { cacheFolder, isTrusted, makeFolders } = require('./code-cache.js')

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

/** In a folder, a file for each process that runs from it. A killed one leaves its file. */
const USERS = 'users'

function isThere(folder) {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (!found?.isDirectory() || !isTrusted(found)) return false
  try {
    // Root may have unpacked it for itself alone.
    accessSync(join(folder, 'bin/run.js'), constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** @throws where the folder is gone meanwhile */
function markUsed(folder) {
  const mark = join(folder, USERS, `${process.pid}-${pidNamespace()}`)
  try {
    writeFileSync(mark, '', { mode: 0o600 })
  } catch (error) {
    // Of another user, who keeps it.
    if (error.code === 'EACCES' || error.code === 'EROFS') return
    throw error
  }
  process.once('exit', () => remove(mark))
}

function isUsed(folder) {
  const [, maker] = /-(\d+)-\w+$/.exec(folder) ?? []
  const users = join(folder, USERS)
  if (maker && isAlive(maker)) return true
  return existsSync(users) && readdirSync(users).some((mark) => isUser(join(users, mark)))
}

/** Containers that share a cache see no process of each other: what was used there in the last month is left. */
const UNSEEN_MS = 30 * 24 * 60 * 60 * 1000

function isUser(mark) {
  const [pid, namespace = ''] = basename(mark).split('-')
  if (namespace === pidNamespace()) return isAlive(pid)
  return Date.now() - statSync(mark).mtimeMs < UNSEEN_MS
}

function pidNamespace() {
  try {
    return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')
  } catch {
    return ''
  }
}

function isAlive(pid) {
  try {
    return process.kill(Number(pid), 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** What other builds have unpacked, and what was left half-way. */
function removeUnused(cache, own) {
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name)
    if (!name.startsWith('program-') || folder === own) continue
    const aside = join(cache, `program-aside-${process.pid}`)
    try {
      if (isUsed(folder)) continue
      renameSync(folder, aside)
      // Since it was looked at, a process may have begun with it.
      if (isUsed(aside)) renameSync(aside, folder)
      else remove(aside)
    } catch {
      // Another process removes it, or Windows keeps a library in it.
    }
  }
}

function remove(path) {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // Windows keeps a library that is loaded.
  }
}

/** Another process may be doing the same: whoever is first has made it for both. */
function unpackedIn(cache) {
  const folder = join(cache, `program-${getAsset('id', 'utf8')}`)
  if (!isThere(folder)) makeIn(cache, folder)
  try {
    markUsed(folder)
  } catch {
    makeIn(cache, folder)
    markUsed(folder)
  }
  return folder
}

function makeIn(cache, folder) {
  makeFolders(cache)
  // Its name says who is at it, so that nobody takes it away before that is in it.
  const unfinished = mkdtempSync(`${folder}-${process.pid}-`)
  try {
    mkdirSync(join(unfinished, USERS), { mode: 0o700 })
    markUsed(unfinished)
    unpackInto(unfinished)
    renameSync(unfinished, folder)
  } catch (error) {
    remove(unfinished)
    if (!isThere(folder)) throw error
  }
  removeUnused(cache, folder)
}

/** Where nothing can be kept, for this run only. */
function unpackedForOnce() {
  const folder = mkdtempSync(join(tmpdir(), 'rma-'))
  process.once('exit', () => remove(folder))
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
