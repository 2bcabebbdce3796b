import { expect, it, onTestFinished, vi } from 'vitest'
import { forgetInKeyring, keepInKeyring, keyringError } from '../../../src/lib/config/keyring.ts'

const WAYS = [
  'give the token in RMA_TOKEN, or with --token-file FILE',
  'or keep it in the settings file: rma auth login --profile live --no-keyring',
]

it.each([
  [
    "Couldn't access platform storage: it is locked",
    'auth',
    'The keyring does not give access: it is locked.',
    'unlock it (sign in to the desktop), then run this again',
  ],
  [
    'MODULE_NOT_FOUND',
    'config',
    'There is no keyring to be used: its library is not installed.',
    'npm install --global @napi-rs/keyring',
  ],
])(
  'the failure of the keyring with "%s" is of the kind %s, and says what to do',
  (text, kind, message, hint) => {
    const cause = Object.assign(new Error(text), { code: text })
    expect(keyringError('live', cause)).toMatchObject({ kind, message, hints: [hint, ...WAYS] })
  },
)

it('a machine without a keyring is a config error that names the alternatives', async () => {
  const before = process.env.DBUS_SESSION_BUS_ADDRESS
  onTestFinished(() => {
    process.env.DBUS_SESSION_BUS_ADDRESS = before ?? ''
    vi.useRealTimers()
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  process.env.DBUS_SESSION_BUS_ADDRESS = 'unix:path=/nonexistent'
  const profile = { name: 'live', environment: 'staging', baseUrl: 'https://returns.example' } as const
  await expect(keepInKeyring(profile, 'secret', () => {})).rejects.toMatchObject({
    kind: 'config',
    message: expect.stringContaining('There is no keyring to be used: Platform failure'),
    hints: WAYS,
  })
  expect(vi.getTimerCount(), 'notes that would still come').toBe(0)
  // Its token is not in the keyring.
  await forgetInKeyring(profile, () => {})
})
