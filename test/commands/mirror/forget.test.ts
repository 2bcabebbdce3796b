import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import Libsql from 'libsql'
import { expect, it } from 'vitest'
import { ended, expectEnd, jsonOf, succeeded, typed } from '../../helpers/command-line.ts'
import { mirrorHome } from '../../helpers/mirror-home.ts'
import '../../../src/commands/mirror/forget.ts'
import '../../../src/commands/mirror/sync.ts'

it('a forgotten person is removed from the files, and no sync copies them again', async () => {
  const { run, held, bytes, status } = await mirrorHome()
  await run`mirror sync --yes --with transports,refunds`
  const [someone] = await held()
  const { email = '', fullName = '' } = someone?.customer ?? {}
  expect(bytes()).toContain(email)
  const { stdout } = succeeded(await run(['mirror', 'forget', '--email', ` ${email.toUpperCase()}`]))
  expect(stdout).toEqual(expect.stringMatching(/^Returns removed +[1-9]\d*\n/))
  expect(stdout).toMatch(/May still hold the same data\n.*backups.*the platform itself/s)
  for (const argv of [['status'], ['sync'], typed`sync --full`]) {
    await run`mirror ${argv}`
    expect([
      bytes().includes(email),
      bytes().includes(fullName),
      bytes().includes(String(someone?.name)),
    ]).toEqual([false, false, false])
  }
  const left = (await held()).length
  expect(left).toBeLessThan(60)
  // The platform still counts them: that is known, and is not a gap.
  expect(await status()).toMatchObject({ returns: left, isComplete: true, platformTotal: 60, forgotten: 1 })
})

it('a mirror without e-mail addresses warns that a person is only forgotten by a full sync', async () => {
  const { run, held, listed } = await mirrorHome()
  await run`mirror sync --yes --without customer.email,origin`
  const email = (await listed())[0]?.customer?.email
  expectEnd(await run`mirror forget --email ${email ?? ''}`, 0, [
    /leaves e-mail addresses out: .*rma mirror sync --full/,
  ])
  expect(await held()).toHaveLength(60)
  succeeded(await run`mirror sync --full`)
  expect((await held()).length).toBeLessThan(60)
})

it('old returns are removed, and no sync copies them again', async () => {
  const { run, held } = await mirrorHome()
  await run`mirror sync --yes`
  const since = Date.now() - 100 * 86_400_000
  const isYoung = ({ createdAt }: { createdAt?: string | null | undefined }) =>
    Date.parse(`${createdAt}`.replace(' ', 'T')) >= since
  const young = (await held()).filter(isYoung).length
  expect(young).toBeLessThan(60)
  expect(jsonOf(await run`mirror forget --older-than 100d --json`)).toMatchObject({
    removed: 60 - young,
    notReached: expect.any(Array),
  })
  const again = await run`mirror sync --full --json`
  expect(jsonOf(again)).toMatchObject({ held: young, isComplete: true })
  expect((await held()).filter((one) => !isYoung(one))).toEqual([])
})

it.each([
  [[], 'Name what to forget'],
  [typed`--email nobody`, '"nobody" is not an e-mail address'],
  [typed`--email a@b.example --older-than 3d`, 'older-than'],
])('refuses %j', async (flags, expected) => {
  const { run } = await mirrorHome()
  expectEnd(await run`mirror forget ${flags}`, 2, [expected])
})

it('forget --all removes the whole mirror of any version, after a warning', async () => {
  const { run, file } = await mirrorHome()
  await run`mirror sync --yes`
  const path = file()
  const db = new Libsql(path)
  db.exec("DELETE FROM meta WHERE name = 'schema'")
  db.close()
  expect(jsonOf(succeeded(await run`mirror forget --all --yes --json`))).toMatchObject({
    removed: 60,
    database: path,
  })
  expect(readdirSync(dirname(path)).filter((name) => !name.endsWith('.lock'))).toEqual([])
  ended(await run`mirror forget --all --yes`, 5)
})

it('removes the whole mirror even if its file is damaged', async () => {
  const { run, file, bytes } = await mirrorHome()
  await run`mirror sync --yes`
  const path = file()
  const pages = readFileSync(path)
  writeFileSync(path, pages.fill(7, 0, 8192))
  expect(bytes()).toContain('@example')
  expect(jsonOf(succeeded(await run`mirror forget --all --yes --json`))).toMatchObject({
    removed: null,
    database: path,
  })
  expect(bytes()).toBe('')
})
