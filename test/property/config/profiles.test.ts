import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createProfileStore } from '../../../src/lib/config/profiles.ts'
import { newFolder } from '../../helpers/files.ts'

it('gives back each profile as it was added, whatever its name', async () => {
  const name = fc
    .oneof(
      fc.string({ unit: fc.constantFrom(...'aB9._-'), minLength: 1, maxLength: 8 }),
      fc.constantFrom(
        '__proto__',
        'constructor',
        'prototype',
        'toString',
        '__internal__',
        'a.b',
        '..',
        'profiles',
        '0',
      ),
    )
    .filter((text) => text !== 'mock')
  const profile = fc.record(
    {
      name,
      environment: fc.constantFrom('mock' as const, 'development' as const, 'staging' as const),
      baseUrl: fc.constantFrom('https://api.example.com', 'http://127.0.0.1:4010/base'),
      shop: fc.string({ minLength: 1 }),
      timeZone: fc.constantFrom('Europe/Madrid', 'UTC'),
      apiRevision: fc.constantFrom('1.4' as const, '1.2.10' as const),
      protected: fc.boolean(),
      token: fc.stringMatching(/^[!-~]+$/),
    },
    { requiredKeys: ['name', 'environment', 'baseUrl'] },
  )
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(profile, { selector: (item) => item.name, maxLength: 4 }),
      async (profiles) => {
        const store = createProfileStore(newFolder())
        for (const item of profiles) await store.add(item)
        const plain = profiles.map((item) => ({ ...item }))
        expect(await store.list()).toEqual([{ name: 'mock', environment: 'mock' }, ...plain])
        for (const item of plain) expect(await store.get(item.name)).toEqual(item)
      },
    ),
    { numRuns: 25 },
  )
})
