import { expect, it } from 'vitest'
import { processToken } from '../../../src/lib/config/credential-process.ts'

it('a credential process is named while it is waited for, and stopped at its time limit', async () => {
  const notes: string[] = []
  const command = `'${process.execPath}' -e 'setInterval(() => {}, 1000)'`
  const around = {
    cacheDir: '/nonexistent',
    env: {},
    now: Date.now(),
    signal: new AbortController().signal,
    onText: () => {},
    onNote: (line: string) => notes.push(line),
  }
  const hang = processToken({ profile: 'own', baseUrl: 'https://returns.example', command }, around, 1000)
  await expect(hang).rejects.toThrow('The credential process of the profile own took longer than 1 s')
  expect(notes).toEqual(['Waiting for the credential process of the profile own, 1 s at most'])
})
