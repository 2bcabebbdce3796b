import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Where `.ci/run` wants a report of each run; undefined: nowhere. */
const { TEST_REPORTS } = process.env

/** What takes longest, longest first, so that no long file is left for one core at the end. */
const LONGEST = [
  ...[
    'fuzz.',
    'examples.',
    'tracking-kills.',
    'package.',
    'labels-for-kills.',
    'answer-limits.',
    'container.',
  ],
  ...['input-limits.', 'tracking-kills-again.', 'labels.', 'executable.', 'processes/', 'fuzz-http.'],
  ...['reliability-page.', 'mirror-postgres.', 'keyring.', 'export-kills.', 'tracking-disk.'],
  ...['printing.', 'site.', 'mirror-kills.', 'pudo-map.'],
].map((name) => `/test/system/${name}`)
/** In a process that has compiled much, V8 optimizes no regular expression: five times the CPU for those of emoji. */
const IN_FRESH_PROCESS = ['/test/property/output.']
const FIRST = [...IN_FRESH_PROCESS, ...LONGEST, '/test/e2e/', '/test/commands/', '/test/property/']

/** Those first, else vitest's order. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const turn = ({ moduleId }: TestSpecification) => {
      const at = FIRST.findIndex((place) => moduleId.includes(place))
      return at === -1 ? FIRST.length : at
    }
    return (await super.sort(files)).sort((a, b) => turn(a) - turn(b))
  }
}

/** Files that the build takes in as texts. */
const TEXT_FILE = /\.(?:yaml|css|bash|zsh|fish|ps1)$/

/** What both runs have in common: the tests of `npm test`, and those of `npm run test:system`. */
export function configOf(name: string, folders: string, timeoutMs: number, moreWorkers = 1) {
  return defineConfig({
    // As the build takes them in.
    plugins: [
      {
        name: 'files-as-texts',
        enforce: 'pre',
        // An id that ends in .css would be taken for a style sheet of vite's.
        resolveId: (source, importer = '') =>
          TEXT_FILE.test(source) ? `\0text:${resolve(dirname(importer), source)}.js` : undefined,
        load: (id) =>
          id.startsWith('\0text:')
            ? `export default ${JSON.stringify(readFileSync(id.slice('\0text:'.length, -'.js'.length), 'utf8'))}`
            : undefined,
      },
    ],
    test: {
      include: [`test/${folders}/**/*.test.ts`],
      testTimeout: timeoutMs,
      hookTimeout: timeoutMs,
      // Not threads: some tests measure the CPU time of their own process.
      pool: 'forks',
      // More than there are cores, as many tests wait for a process, a socket or a time.
      maxWorkers: availableParallelism() + moreWorkers,
      // Files share the modules, and nothing else: no test writes to a module or to the environment.
      isolate: false,
      globalSetup: 'test/helpers/temporary.ts',
      setupFiles: 'test/helpers/property-seed.ts',
      sequence: { sequencer: LongFirst },
      restoreMocks: true,
      // A test that compares nothing, because what it looks at is empty, fails. A busy machine starts a process in seconds.
      expect: { requireAssertions: true, poll: { timeout: 30_000 } },
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

export default configOf('tests', '{unit,commands,e2e,property,surface,layout}', 60_000)
