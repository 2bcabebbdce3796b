import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Return } from '../../../src/lib/wire/returns.ts'
import { ended, expectEnd, jsonOf, succeeded, typed } from '../../helpers/command-line.ts'
import { mirrorHome } from '../../helpers/mirror-home.ts'
import { valuesOf } from '../../helpers/values-of.ts'
import '../../../src/commands/mirror/sync.ts'
import '../../../src/commands/returns/get.ts'
import '../../../src/commands/returns/transportations.ts'
import '../../../src/commands/sandbox/reset.ts'

it('finds a return by its tracking code once there is a mirror, as the platform has it now', async () => {
  const home = await mirrorHome()
  const one = (await home.listed()).find((record) => record.activeTransportation?.carrierReference) as Return
  const code = String(one.activeTransportation?.carrierReference)
  const before = await home.run`returns get ${code}`
  expectEnd(before, 5, [`No return is named ${code}`])
  expect(existsSync(home.folder)).toBe(false)
  succeeded(await home.run`mirror sync --yes`)
  for (const text of [code, code.toLowerCase()]) {
    const { code: exit, stdout, stderr } = await home.run`returns get ${text} --json`
    expect([exit, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout).id).toBe(one.id)
  }
  const reference = String(one.activeTransportation?.clientReference)
  succeeded(await home.run`returns transportations ${reference} --json`)
  // The mirror only says where to look; the platform's record is shown.
  await home.atPlatform('sandbox', 'reset', '--yes', '--returns', '0')
  ended(await home.run`returns get ${code}`, 5)
})

it('finds a return by a merchant’s return name, its order and a former transport’s reference out of the mirror', async () => {
  const home = await mirrorHome()
  const sync = typed`mirror sync --yes --with transports`
  succeeded(await home.run(sync))
  const listed = await home.listed()
  const idBy = async (text: unknown) => {
    const { code, stdout } = await home.run`returns get ${String(text)} --json`
    return [code, code === 0 ? valuesOf([JSON.parse(stdout)].flat(), 'id') : []]
  }
  const named = listed.find(({ merchantReturnName }) => merchantReturnName) as Return
  expect(await idBy(named.merchantReturnName)).toEqual([0, [named.id]])
  const ofOrder = listed.filter(({ ecommerceOrder }) => ecommerceOrder.id === named.ecommerceOrder.id)
  expect(await idBy(named.ecommerceOrder.name)).toEqual([0, valuesOf(ofOrder, 'id')])
  for (const { id, activeTransportation } of listed) {
    const former = jsonOf(await home.run`returns transportations ${String(id)} --json`).transportations.find(
      (one: { id: string }) => one.id !== activeTransportation?.id,
    )
    if (!former) continue
    expect(await idBy(former.clientReference)).toEqual([0, [id]])
    return
  }
  expect.unreachable('no return has a former transport')
})

it('says so when the mirror can’t be searched', async () => {
  const home = await mirrorHome()
  const env = { RMA_DATABASE: 'postgres://nobody@127.0.0.1:1/none' }
  expectEnd(
    await home.run(typed`returns get NO-SUCH-CODE`, { env }),
    5,
    /^Warning: The mirror was not searched: .*\nNo return|Error/,
  )
})
