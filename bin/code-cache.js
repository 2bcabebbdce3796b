// Compiling the bundle takes longer than all else that a short command does. Node.js 22 and later keep compiled code
// between runs by themselves; for Node.js 20 this does the same: one file a version of Node.js, written when a run
// compiled something new. What is kept is of one build, which is known by its content: files of two builds may have the
// same names, sizes and times. Whatever goes wrong here only costs the time that it would have saved.
const { createHash } = require('node:crypto')
const { closeSync, fstatSync, lstatSync, mkdirSync, openSync, readFileSync } = require('node:fs')
const { readdirSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const Module = require('node:module')
const { homedir } = require('node:os')
const { dirname, isAbsolute, join, relative } = require('node:path')
const { Script } = require('node:vm')

/** `{hash of the build and of all that follows}{length of index}{index: {name: [start, length]}}{code…}` */
const HASH_BYTES = 32
const HEADER_BYTES = HASH_BYTES + 4

/** The same place as `resolvePaths` gives for caches; undefined where the user has none. */
function cacheFolder({ env, platform }) {
  if (env.RMA_CACHE_DIR) return env.RMA_CACHE_DIR
  if (platform === 'win32') return env.LOCALAPPDATA && join(env.LOCALAPPDATA, 'rma', 'Cache')
  const home = env.HOME || homedir()
  if (!isAbsolute(home)) return undefined
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'rma')
  const base =
    env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME) ? env.XDG_CACHE_HOME : join(home, '.cache')
  return join(base, 'rma')
}

/**
 * Compiled code runs as it is, so nobody else may have written it. Root could change what runs anyway. Windows keeps
 * folders of a user from others by itself.
 */
function isTrusted({ uid, mode }) {
  return !process.getuid || ((uid === process.getuid() || uid === 0) && (mode & 0o022) === 0)
}

/** V8 takes its own version's code for good as it is: it notices neither another build's nor a flipped bit. */
function hasher(build) {
  const what = `${build} ${process.version} ${process.arch}`
  return (bytes) => createHash('sha256').update(what).update(bytes).digest()
}

function readCache(file, hash) {
  let handle
  try {
    handle = openSync(file)
    if (!isTrusted(fstatSync(handle))) return {}
    const bytes = readFileSync(handle)
    if (!bytes.subarray(0, HASH_BYTES).equals(hash(bytes.subarray(HASH_BYTES)))) return {}
    const codeAt = HEADER_BYTES + bytes.readUInt32LE(HASH_BYTES)
    const index = JSON.parse(bytes.toString('utf8', HEADER_BYTES, codeAt))
    return Object.fromEntries(
      Object.entries(index).map(([name, [start, length]]) => [
        name,
        bytes.subarray(codeAt + start, codeAt + start + length),
      ]),
    )
  } catch {
    return {}
  } finally {
    if (handle !== undefined) closeSync(handle)
  }
}

function writeCache(file, hash, codes) {
  const index = {}
  let at = 0
  for (const [name, code] of Object.entries(codes)) {
    index[name] = [at, code.length]
    at += code.length
  }
  const text = Buffer.from(JSON.stringify(index))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(text.length)
  const temporary = `${file}.${process.pid}.tmp`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const bytes = Buffer.concat([length, text, ...Object.values(codes)])
    writeFileSync(temporary, Buffer.concat([hash(bytes), bytes]), { mode: 0o600, flag: 'wx' })
    renameSync(temporary, file)
  } catch {
    remove(temporary)
  }
}

/** A run that ended as a fault of rma's own may have had the wrong code: the next one compiles anew. */
const FAULT = 1

/** From here on the modules below `root` are compiled with the cache. */
function keepCompiledCode(root, build, folder) {
  const hash = hasher(build)
  const file = join(folder, `code-${process.version}-${process.arch}.bin`)
  const kept = readCache(file, hash)
  const scripts = new Map()
  let hasNew = false
  const compile = Module.prototype._compile
  Module.prototype._compile = function (content, filename) {
    if (!filename.startsWith(root)) return compile.call(this, content, filename)
    const name = relative(root, filename)
    const script = new Script(Module.wrap(content), {
      filename,
      cachedData: kept[name],
    })
    if (kept[name] === undefined || script.cachedDataRejected) {
      hasNew = true
      scripts.set(name, script)
    }
    const run = script.runInThisContext()
    return run.call(
      this.exports,
      this.exports,
      Module.createRequire(filename),
      this,
      filename,
      dirname(filename),
    )
  }
  process.once('exit', (code) => {
    if (code === FAULT) return remove(file)
    if (!hasNew) return
    // Made at the end, so that it holds the functions that were compiled while they ran, too.
    const fresh = Object.fromEntries([...scripts].map(([name, script]) => [name, script.createCachedData()]))
    writeCache(file, hash, { ...kept, ...fresh })
  })
}

/** Node.js's own cache, in a folder of the build; those of other builds go. */
function useNodesCache(build, folder) {
  const builds = join(folder, 'code')
  const own = join(builds, build)
  mkdirSync(builds, { recursive: true, mode: 0o700 })
  const entries = readdirSync(builds)
  if (!entries.includes(build)) for (const other of entries) remove(join(builds, other))
  mkdirSync(own, { recursive: true, mode: 0o700 })
  const within = readdirSync(own, { recursive: true }).map((name) => join(own, name))
  if (!isTrusted(lstatSync(builds))) return
  if (![own, ...within].every((path) => isTrusted(lstatSync(path)))) {
    remove(own)
    // Throws if it is still there.
    mkdirSync(own, { mode: 0o700 })
  }
  Module.enableCompileCache(own)
  process.once('exit', (code) => {
    if (code === FAULT) remove(own)
  })
}

function remove(path) {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // It is not ours to remove, then.
  }
}

/** @param {string} root folder of the built program */
exports.useCodeCache = (root) => {
  try {
    const folder = cacheFolder(process)
    if (folder === undefined) return
    const build = readFileSync(join(root, 'build-id'), 'utf8')
    if (Module.enableCompileCache) useNodesCache(build, folder)
    else keepCompiledCode(root, build, folder)
  } catch {
    // Without the cache, then.
  }
}
