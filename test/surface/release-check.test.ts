import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { asTyped } from '../helpers/command-line.ts'
import { copySources } from '../helpers/copy-sources.ts'
import { newFolder } from '../helpers/new-folder.ts'

const gitIn = (cwd: string) =>
  asTyped((argv) => execFileSync('git', argv, { cwd, stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' }))

/** Copies the sources into a new git repository for `npm run release:check`. */
function checkout(): string {
  const copy = copySources(newFolder())
  const git = gitIn(copy)
  git`init`
  git`add --all`
  git`-c user.name=a -c user.email=a@example.com commit --quiet -m Release`
  return copy
}

const releaseCheck = (cwd: string) =>
  spawnSync(process.execPath, ['tools/release-check.mjs'], { cwd, encoding: 'utf8' })

it('says what is not as a release wants it, before anything long', () => {
  const copy = checkout()
  writeFileSync(join(copy, 'CHANGELOG.md'), '# Changes\n\n## 9.9.9 (unreleased)\n')
  const early = releaseCheck(copy)
  expect(early.status).toBe(1)
  expect(early.stdout).toMatch(/^FAILED {2}the working tree is clean: not committed:\n *M CHANGELOG\.md$/m)
  expect(early.stdout).toMatch(/^FAILED {2}CHANGELOG\.md .*: package\.json says \S+, CHANGELOG\.md 9\.9\.9$/m)
  expect(early.stdout).not.toContain('a clean clone')
  expect(early.stdout).toMatch(/\nNot ready to be published\.\n$/)
})

it('wants the date of the release where the commit has the tag of its version', () => {
  const copy = checkout()
  const { version } = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8'))
  gitIn(copy)`tag v${version}`
  writeFileSync(join(copy, 'changed'), '')
  const { status, stdout } = releaseCheck(copy)
  expect(status).toBe(1)
  expect(stdout).toContain(`with its date: ## ${version} (unreleased) needs the date of the release`)
  expect(stdout).not.toContain('a clean clone')
})
