import { expect, it } from 'vitest'
import { ended, expectEnd, jsonOf, typed } from '../../helpers/command-line.ts'
import { usePlatform } from '../../helpers/platform.ts'
import { freshHome, runIn } from '../../helpers/run-cli.ts'
import '../../../src/commands/mirror/sync.ts'
import '../../../src/commands/returns/stuck.ts'
import { valuesOf } from '../../helpers/values-of.ts'

const platform = usePlatform({ returns: 0 })
const { run } = platform
const track = (name: string, trackingStatus: string) => ({ do: 'track', return: name, trackingStatus })
const create = (name: string) => ({ do: 'create', as: name, orderName: name, shop: 'LUMBRE-ES' })

it('returns stuck lists stuck returns with the next command, and can exit with 9', async () => {
  const env = platform.env()
  const { code: empty } = await run(typed`mirror sync --yes`, { env })
  expect(empty).toBe(0)
  const quiet = await run(typed`returns stuck --fail-if-any`, { env })
  expectEnd(quiet, 0, 'Nothing is stuck\n')
  const steps = [
    create('OnItsWay'),
    track('OnItsWay', 'SHIPPING_IN_PROGRESS'),
    create('Received'),
    track('Received', 'SHIPPING_COMPLETED'),
    { do: 'receive', return: 'Received' },
    { do: 'advance', by: '8d' },
    create('Fresh'),
  ]
  expect(valuesOf(await platform.sandbox.play({ steps }), 'outcome')).toEqual(steps.map(() => 'done'))
  const shown = jsonOf(expectEnd(await run(typed`returns stuck --json`, { env }), 0, ''))
  expect(shown).toMatchObject({
    stuck: [
      {
        name: 'R#-OnItsWay',
        rule: 'no-scan',
        hours: 192,
        samples: 0,
        next: "rma returns explain 'R#-OnItsWay'",
      },
      { name: 'R#-Received', rule: 'not-checked', next: "rma returns get 'R#-Received'" },
    ],
    unread: 0,
  })
  const offline = await run(typed`returns stuck --offline --json`, { env })
  expect(jsonOf(offline)).toEqual(shown)
  const failing = await run(typed`returns stuck --fail-if-any -o csv --columns name,rule`, {
    env,
  })
  expect(ended(failing, 9).stdout).toBe('name,rule\r\nR#-OnItsWay,no-scan\r\nR#-Received,not-checked\r\n')
  expect(failing.stderr).toContain('2 returns are stuck.')
  const wide = await run(typed`returns stuck`, { env, columns: 180 })
  expect(wide.stdout).toMatch(/^NAME +RULE +SINCE +WHY +NEXT\n/)
  const narrow = await run(typed`returns stuck --offline`, { env, columns: 80 })
  expect(narrow.stdout).toMatch(/^NAME +RULE +SINCE +NEXT\n/)
})

it('returns stuck needs a mirror', async () => {
  ended(await runIn(freshHome())`returns stuck --offline`, 5)
})

it('returns stuck names the shop in the next command where two shops have returns of one name', async () => {
  const env = platform.env()
  const steps = ['LUMBRE-ES', 'HARROW-UK'].flatMap((shop) => [
    { ...create('Twin'), as: shop, shop },
    track(shop, 'SHIPPING_IN_PROGRESS'),
  ])
  await platform.sandbox.play({ steps: [...steps, { do: 'advance', by: '8d' }] })
  await run(typed`mirror sync --yes`, { env })
  const { stdout } = await run(typed`returns stuck --json`, { env })
  const next = valuesOf(jsonOf({ stdout }).stuck, 'next')
  expect(next).toEqual(
    expect.arrayContaining(
      typed`LUMBRE-ES HARROW-UK`.map((shop) => `rma returns explain 'R#-Twin' --shop ${shop}`),
    ),
  )
})
