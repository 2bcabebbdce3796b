// Compile cache: compiling the bundle takes longer than the rest of a short command, and Node.js's own cache (since 22)
// keeps less of it. There is one file per Node.js version, written after a run that compiled new code. A build is
// identified by its content: files of two builds may share names, sizes and times. Errors here only cost the saved
// time.
const { closeSync, existsSync, fstatSync, mkdirSync, openSync } = require('node:fs')
const { readFileSync, readSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { dirname, isAbsolute, join, relative, resolve } = require('node:path')
const { Script } = require('node:vm')
const { crc32 } = require('node:zlib')

const Module = module.constructor

/**
 * File format: `{checksum and length of the index}{index: {build, codes: {name: [start, length, checksum]}}}{code…}`
 */
const HEADER_BYTES = 8

/** Returns the cache folder of `resolvePaths`, or undefined for a user that has no home. */
function cacheFolder({ env, platform }) {
  if (env.RMA_CACHE_DIR) return env.RMA_CACHE_DIR
  if (platform === 'win32') return env.LOCALAPPDATA && join(env.LOCALAPPDATA, 'rma', 'Cache')
  const home = env.HOME || require('node:os').homedir()
  if (!isAbsolute(home)) return undefined
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'rma')
  const base =
    env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME) ? env.XDG_CACHE_HOME : join(home, '.cache')
  return join(base, 'rma')
}

/**
 * True if no other user can have written the file, since its code runs unchecked. Root could change the program anyway.
 * Windows protects a user's folders itself.
 */
function isTrusted({ uid, mode }) {
  return !process.getuid || ((uid === process.getuid() || uid === 0) && (mode & 0o022) === 0)
}

/**
 * Reads compiled code. Checksums are needed: V8 accepts code of its own version, and notices neither another build nor
 * a flipped bit.
 */
class KeptCode {
  #handle
  #codesAt
  #index = {}

  constructor(file, build) {
    try {
      this.#handle = openSync(file)
      if (!isTrusted(fstatSync(this.#handle))) return
      const header = this.#read(0, HEADER_BYTES)
      const length = header.readUInt32LE(4)
      const bytes = this.#read(HEADER_BYTES, length)
      if (crc32(bytes) !== header.readUInt32LE(0)) return
      const index = JSON.parse(bytes)
      this.#codesAt = HEADER_BYTES + length
      if (index.build === build) this.#index = index.codes
    } catch {
      // A missing cache is fine.
    }
  }

  names() {
    return Object.keys(this.#index)
  }

  /** Reads the code of one module only. */
  code(name) {
    const [start, length, sum] = this.#index[name] ?? []
    if (start === undefined) return undefined
    const bytes = this.#read(this.#codesAt + start, length)
    return crc32(bytes) === sum ? bytes : undefined
  }

  #read(start, length) {
    const bytes = Buffer.allocUnsafeSlow(Math.min(length, fstatSync(this.#handle).size))
    readSync(this.#handle, bytes, 0, bytes.length, start)
    return bytes
  }

  close() {
    if (this.#handle !== undefined) closeSync(this.#handle)
  }
}

/**
 * Makes a folder and its parents. Node.js's own `recursive` loops forever on file systems that answer ENOENT to new
 * folders.
 */
function makeFolders(path) {
  if (existsSync(path)) return
  if (dirname(path) !== path) makeFolders(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it.
    if (error.code !== 'EEXIST') throw error
  }
}

function writeCache(file, build, codes) {
  const index = { build, codes: {} }
  let at = 0
  for (const [name, code] of Object.entries(codes)) {
    index.codes[name] = [at, code.length, crc32(code)]
    at += code.length
  }
  const text = Buffer.from(JSON.stringify(index))
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32LE(crc32(text), 0)
  header.writeUInt32LE(text.length, 4)
  const temporary = `${file}.${process.pid}.tmp`
  try {
    makeFolders(dirname(file))
    writeFileSync(temporary, Buffer.concat([header, text, ...Object.values(codes)]), {
      mode: 0o600,
      flag: 'wx',
    })
    renameSync(temporary, file)
  } catch {
    remove(temporary)
  }
}

/** Returns Node.js's own `require` of a module, except that relative paths resolve to files of the bundle. */
function requireFor(module) {
  const folder = dirname(module.filename)
  const load = (id) => {
    if (!/^\..*\.js$/.test(id)) return module.require(id)
    const filename = resolve(folder, id)
    const known = Module._cache[filename]
    if (known !== undefined) return known.exports
    const loaded = new Module(filename, module)
    Module._cache[filename] = loaded
    loaded.filename = filename
    loaded.paths = module.paths
    try {
      loaded._compile(readFileSync(filename, 'utf8'), filename)
      loaded.loaded = true
    } finally {
      if (!loaded.loaded) delete Module._cache[filename]
    }
    return loaded.exports
  }
  load.resolve = (request, options) => Module._resolveFilename(request, module, false, options)
  load.main = process.mainModule
  load.cache = Module._cache
  return load
}

/** Exit code of an internal error. Wrong cached code may be the cause, so the next run compiles anew. */
const FAULT = 1

/** Compiles all later modules below `root` with the cache. */
function keepCompiledCode(root, build, folder) {
  const file = join(folder, `code-${process.version}-${process.arch}.bin`)
  const kept = new KeptCode(file, build)
  const scripts = new Map()
  let hasNew = false
  const compile = Module.prototype._compile
  Module.prototype._compile = function (content, filename, ...rest) {
    if (!filename.startsWith(root)) return compile.call(this, content, filename, ...rest)
    const name = relative(root, filename)
    const cachedData = kept.code(name)
    const script = new Script(Module.wrap(content), { filename, cachedData })
    if (cachedData === undefined || script.cachedDataRejected) {
      hasNew = true
      scripts.set(name, script)
    }
    const run = script.runInThisContext()
    return run.call(this.exports, this.exports, requireFor(this), this, filename, dirname(filename))
  }
  process.once('exit', (code) => {
    const old = hasNew ? kept.names().map((name) => [name, kept.code(name)]) : []
    // Windows can't replace an open file.
    kept.close()
    if (code === FAULT) remove(file)
    else if (hasNew) {
      // Made at exit, to include functions that were compiled while they ran.
      const fresh = [...scripts].map(([name, script]) => [name, script.createCachedData()])
      const codes = [...old.filter(([, code]) => code !== undefined), ...fresh]
      writeCache(file, build, Object.fromEntries(codes))
      // Removes the cache of an older format.
      remove(join(folder, 'code'))
    }
  })
}

function remove(path) {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // The file belongs to another user.
  }
}

/**
 * Turns the compile cache on.
 * @param {string} root folder of the built program
 */
exports.useCodeCache = (root) => {
  try {
    const folder = cacheFolder(process)
    if (folder === undefined) return
    keepCompiledCode(root, readFileSync(join(root, 'build-id'), 'utf8'), folder)
  } catch {
    // rma also runs uncached.
  }
}

exports.cacheFolder = cacheFolder
exports.isTrusted = isTrusted
exports.makeFolders = makeFolders
