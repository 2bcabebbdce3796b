import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import envPaths from 'env-paths'
import { expect, it } from 'vitest'
import { inputPath, resolvePaths } from '../../../src/lib/config/paths.ts'
import { expectPrivate, newFolder, textFile } from '../../helpers/files.ts'

it.each([
  ['linux', { HOME: '/home/u' }, '/home/u/.config/rma', '/home/u/.local/share/rma', '/home/u/.cache/rma'],
  [
    'linux',
    { HOME: '/home/u', XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d', XDG_CACHE_HOME: '/x' },
    '/c/rma',
    '/d/rma',
    '/x/rma',
  ],
  // Relative ones are to be ignored, empty ones are as good as unset.
  [
    'linux',
    { HOME: '/home/u', XDG_CONFIG_HOME: 'c', XDG_DATA_HOME: '' },
    '/home/u/.config/rma',
    '/home/u/.local/share/rma',
    '/home/u/.cache/rma',
  ],
  [
    'darwin',
    { HOME: '/Users/u', XDG_CONFIG_HOME: '/c' },
    '/Users/u/Library/Preferences/rma',
    '/Users/u/Library/Application Support/rma',
    '/Users/u/Library/Caches/rma',
  ],
  [
    'win32',
    { USERPROFILE: 'C:\\Users\\u' },
    'C:\\Users\\u\\AppData\\Roaming\\rma\\Config',
    'C:\\Users\\u\\AppData\\Local\\rma\\Data',
    'C:\\Users\\u\\AppData\\Local\\rma\\Cache',
  ],
  [
    'win32',
    { APPDATA: 'D:\\R', LOCALAPPDATA: 'D:\\L' },
    'D:\\R\\rma\\Config',
    'D:\\L\\rma\\Data',
    'D:\\L\\rma\\Cache',
  ],
  [
    'linux',
    { RMA_CONFIG_DIR: '/1', RMA_DATA_DIR: '/2', RMA_CACHE_DIR: '/3', XDG_DATA_HOME: '/d' },
    '/1',
    '/2',
    '/3',
  ],
  [
    'linux',
    { RMA_CONFIG_DIR: 'here', XDG_DATA_HOME: '/d', HOME: '/h' },
    path.resolve('here'),
    '/d/rma',
    '/h/.cache/rma',
  ],
] as const)('on %s with %j', (platform, env, configDir, dataDir, cacheDir) => {
  expect(resolvePaths(env, platform)).toMatchObject({ configDir, dataDir, cacheDir })
})

it('means the same places as env-paths does on this machine', () => {
  const { config, data, cache } = envPaths('rma', { suffix: '' })
  expect(resolvePaths(process.env)).toMatchObject({ configDir: config, dataDir: data, cacheDir: cache })
  expect(resolvePaths({}, 'linux').configDir).toBe(path.join(homedir(), '.config/rma'))
})

it.each([
  [{}, '/d/locks'],
  [{ RMA_LOCK_DIR: '/shared' }, '/shared'],
  [{ RMA_LOCK_DIR: '' }, '/d/locks'],
])('locks of shipments are in the data or in RMA_LOCK_DIR: %j', (env, lockDir) => {
  expect(resolvePaths({ RMA_DATA_DIR: '/d', ...env }, 'linux').lockDir).toBe(lockDir)
})

it('standard input is kept in a file that only its owner may read, until the command ends', async () => {
  const ends: (() => Promise<void>)[] = []
  const context = {
    paths: { dataDir: newFolder() },
    io: { stdin: Readable.from([Buffer.from('a\n'), Buffer.from('1\n')]) },
    onClose: (end: () => Promise<void>) => void ends.push(end),
    untilInterrupted: <T>(waiting: Promise<T>) => waiting,
  }
  const { path: kept, name } = await inputPath(context, '-')
  expect([textFile(kept), name]).toEqual(['a\n1\n', 'The standard input'])
  expectPrivate(kept)
  for (const end of ends) await end()
  expect(statSync(kept, { throwIfNoEntry: false })).toBeUndefined()
})
