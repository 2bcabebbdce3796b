import { expect, it, onTestFinished } from 'vitest'
import { forgetInKeyring, keepInKeyring } from '../../../src/lib/config/keyring.ts'

it('a machine without a keyring is a setting that can not be, and names the ways out', async () => {
  const before = process.env.DBUS_SESSION_BUS_ADDRESS
  onTestFinished(() => {
    process.env.DBUS_SESSION_BUS_ADDRESS = before ?? ''
  })
  process.env.DBUS_SESSION_BUS_ADDRESS = 'unix:path=/nonexistent'
  const profile = { name: 'live', environment: 'staging', baseUrl: 'https://returns.example' } as const
  await expect(keepInKeyring(profile, 'secret', () => {})).rejects.toMatchObject({
    kind: 'config',
    message: expect.stringContaining('There is no keyring to be used: Platform failure'),
    hints: expect.arrayContaining([expect.stringContaining('rma auth login --profile live --no-keyring')]),
  })
  // Its token is not in the keyring.
  await forgetInKeyring(profile, () => {})
})
