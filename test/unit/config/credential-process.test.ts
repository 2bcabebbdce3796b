import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { processToken } from '../../../src/lib/config/credential-process.ts'
import { newFolder } from '../../helpers/files.ts'

const notes: string[] = []
const around = {
  cacheDir: '/nonexistent',
  env: process.env,
  now: Date.now(),
  signal: new AbortController().signal,
  onText: () => {},
  onNote: (line: string) => notes.push(line),
}
const tokenOf = (command: string, limitMs: number) =>
  processToken({ profile: 'own', baseUrl: 'https://returns.example', command }, around, limitMs)

it('a credential process is named while it is waited for, and stopped at its time limit', async () => {
  const hang = tokenOf(`'${process.execPath}' -e 'setInterval(() => {}, 1000)'`, 1000)
  await expect(hang).rejects.toThrow('The credential process of the profile own took longer than 1 s')
  expect(notes).toEqual(['Waiting for the credential process of the profile own, 1 s at most'])
})

it('a child that a credential process leaves behind is not waited for', async () => {
  const sign = join(newFolder(), 'child-ended')
  await expect(tokenOf(`/bin/sh -c '(sleep 4; : > ${sign}) & printf a-token'`, 20_000)).resolves.toBe(
    'a-token',
  )
  expect(existsSync(sign)).toBe(false)
})

it('a credential process that ignores a request to end is killed at its time limit', async () => {
  const sign = join(newFolder(), 'ended-by-itself')
  const stubborn = `/bin/sh -c 'trap "" TERM; sleep 1; sleep 1; sleep 1; : > ${sign}'`
  await expect(tokenOf(stubborn, 1000)).rejects.toThrow('took longer than 1 s')
  expect(existsSync(sign)).toBe(false)
})
