// Entry of the single executable (tools/executable.mjs): unpacks the embedded program once per build into the cache
// folder and runs it from there like an installed one, including its native library.
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

/** Unpacks the archive: `{length of the index}{index: [[name, length]…]}{content…}` */
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

/** Folder with a file for each running process. A killed process leaves its file. */
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

/** Marks the folder as used by this process. @throws if the folder has been removed meanwhile */
function markUsed(folder) {
  const mark = join(folder, USERS, `${process.pid}-${pidNamespace()}`)
  try {
    writeFileSync(mark, '', { mode: 0o600 })
  } catch (error) {
    // The folder belongs to another user, who manages it.
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

/** Grace period of a month: containers that share a cache can't see each other's processes. */
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

/** Removes unused folders of other builds and unfinished ones. */
function removeUnused(cache, own) {
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name)
    if (!name.startsWith('program-') || folder === own) continue
    const aside = join(cache, `program-aside-${process.pid}`)
    try {
      if (isUsed(folder)) continue
      renameSync(folder, aside)
      // A process may have started using the folder after the first check.
      if (isUsed(aside)) renameSync(aside, folder)
      else remove(aside)
    } catch {
      // Another process removes it, or Windows holds a loaded library in it.
    }
  }
}

function remove(path) {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // Windows holds a loaded library.
  }
}

/** Returns the unpacked folder. Of several processes that unpack at once the first one wins. */
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
  // The process id in the name keeps others from removing the folder before its mark is written.
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

/** Unpacks for this run only, if the cache is not writable. */
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
