import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Where `.ci/run` wants a report of each run; undefined: nowhere. */
const { TEST_REPORTS } = process.env

/** Whole processes and fuzzing, so that no long file is left for one core at the end. */
const LONG = /\/test\/(?:e2e\/|surface\/examples|system\/(?:tracking-kills\.|fuzz))/

/** Those first, else vitest's order. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const turn = ({ moduleId }: TestSpecification) => (LONG.test(moduleId) ? 0 : 1)
    return (await super.sort(files)).sort((a, b) => turn(a) - turn(b))
  }
}

/** What both runs have in common: the tests of `npm test`, and those of `npm run test:system`. */
export function configOf(name: string, folders: string, timeoutMs: number) {
  return defineConfig({
    test: {
      include: [`test/${folders}/**/*.test.ts`],
      testTimeout: timeoutMs,
      hookTimeout: timeoutMs,
      // Not threads: some tests measure the CPU time of their own process.
      pool: 'forks',
      // vitest itself would leave one free.
      maxWorkers: availableParallelism(),
      // Files share the modules, and nothing else: no test writes to a module or to the environment.
      isolate: false,
      globalSetup: 'test/helpers/temporary.ts',
      setupFiles: 'test/helpers/property-seed.ts',
      sequence: { sequencer: LongFirst },
      restoreMocks: true,
      // A test that compares nothing, because what it looks at is empty, fails.
      expect: { requireAssertions: true },
      // jq-web exports a promise, which the interop would take for the module itself.
      deps: { interopDefault: false },
      // Its source map is not in the package, which vite would warn about.
      server: { deps: { external: [/zpl-renderer-js/] } },
      env: { NO_COLOR: '1', TZ: 'UTC' },
      reporters: TEST_REPORTS
        ? ['default', ['json', { outputFile: `${TEST_REPORTS}/${name}.json` }]]
        : ['default'],
    },
  })
}

export default configOf('tests', '{unit,commands,e2e,property,surface,layout}', 30_000)
