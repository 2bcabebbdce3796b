// Compiling the bundle takes longer than all else that a short command does, and Node.js's own cache (from 22 on) keeps
// less of it: one file a version of Node.js, written when a run compiled something new. What is kept is of one build,
// which is known by its content: files of two builds may have the same names, sizes and times. Whatever goes wrong here
// only costs the time that it would have saved.
const { closeSync, existsSync, fstatSync, mkdirSync, openSync } = require('node:fs')
const { readFileSync, readSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { dirname, isAbsolute, join, relative, resolve } = require('node:path')
const { Script } = require('node:vm')
const { crc32 } = require('node:zlib')

const Module = module.constructor

/** `{checksum and length of the index}{index: {build, codes: {name: [start, length, checksum]}}}{code…}` */
const HEADER_BYTES = 8

/** The same place as `resolvePaths` gives for caches; undefined where the user has none. */
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
 * Compiled code runs as it is, so nobody else may have written it. Root could change what runs anyway. Windows keeps
 * folders of a user from others by itself.
 */
function isTrusted({ uid, mode }) {
  return !process.getuid || ((uid === process.getuid() || uid === 0) && (mode & 0o022) === 0)
}

/** V8 takes its own version's code for good as it is: it notices neither another build's nor a flipped bit. */
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
      // There is none, then.
    }
  }

  names() {
    return Object.keys(this.#index)
  }

  /** Only what a run uses is read. */
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

/** Node.js's own `recursive` never ends where a file system has no place for new folders and says so by ENOENT. */
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

/** As Node.js gives it to a module, but that what a module of ours asks for is where it says, and a file of ours. */
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

/** A run that ended as a fault of rma's own may have had the wrong code: the next one compiles anew. */
const FAULT = 1

/** From here on the modules below `root` are compiled with the cache. */
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
    // An open file can't be replaced on Windows.
    kept.close()
    if (code === FAULT) remove(file)
    else if (hasNew) {
      // Made at the end, so that it holds the functions that were compiled while they ran, too.
      const fresh = [...scripts].map(([name, script]) => [name, script.createCachedData()])
      const codes = [...old.filter(([, code]) => code !== undefined), ...fresh]
      writeCache(file, build, Object.fromEntries(codes))
      // Of builds before this one.
      remove(join(folder, 'code'))
    }
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
    keepCompiledCode(root, readFileSync(join(root, 'build-id'), 'utf8'), folder)
  } catch {
    // Without the cache, then.
  }
}

exports.cacheFolder = cacheFolder
exports.isTrusted = isTrusted
exports.makeFolders = makeFolders
