import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { asTyped } from '../helpers/command-line.ts'
import { copySources } from '../helpers/copy-sources.ts'
import { jsonFile, newFolder } from '../helpers/files.ts'

/** Copy of the sources in a new git repository, for `npm run release:check`. */
const copy = copySources(newFolder())
const git = asTyped((argv) =>
  execFileSync('git', argv, { cwd: copy, stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' }),
)
git`init`
git`add --all`
git`-c user.name=a -c user.email=a@example.com commit --quiet -m Release`
afterEach(() => git`checkout --quiet .`)

const releaseCheck = () =>
  spawnSync(process.execPath, ['tools/release-check.mjs'], { cwd: copy, encoding: 'utf8' })

it('says what is not as a release wants it, before anything long', () => {
  writeFileSync(join(copy, 'CHANGELOG.md'), '# Changes\n\n## 9.9.9 (unreleased)\n')
  const early = releaseCheck()
  expect(early.status).toBe(1)
  expect(early.stdout).toMatch(/^FAILED {2}the working tree is clean: not committed:\n *M CHANGELOG\.md$/m)
  expect(early.stdout).toMatch(/^FAILED {2}CHANGELOG\.md .*: package\.json says \S+, CHANGELOG\.md 9\.9\.9$/m)
  expect(early.stdout).not.toContain('a clean clone')
  expect(early.stdout).toMatch(/\nNot ready to be published\.\n$/)
})

it('wants the date of the release where the commit has the tag of its version', () => {
  const { version } = jsonFile(join(copy, 'package.json'))
  git`tag v${version}`
  writeFileSync(join(copy, 'changed'), '')
  const { status, stdout } = releaseCheck()
  expect(status).toBe(1)
  expect(stdout).toContain(`with its date: ## ${version} (unreleased) needs the date of the release`)
  expect(stdout).not.toContain('a clean clone')
})
