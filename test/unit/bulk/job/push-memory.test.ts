import { expect, it } from 'vitest'
import { PushMemory } from '../../../../src/lib/bulk/job/push-memory.ts'

it('a record of sent files that nobody may write is a fault of the settings', async () => {
  // A file system in which nobody, not even root, makes files.
  await expect(
    new PushMemory('/sys/kernel', '/nonexistent').exclusively(async () => {}),
  ).rejects.toMatchObject({
    kind: 'config',
    message: expect.stringMatching(/^\/sys\/kernel can't be written: E(ACCES|PERM|ROFS)\.$/),
  })
})
