import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Folder in which `.ci/run` wants a JSON report of each run. */
const { TEST_REPORTS } = process.env

/** Longest test files, started first so that no long one runs alone on one core at the end. */
const LONGEST = [
  ...[
    'locks-containers.',
    'fuzz-targets.',
    'fuzz.',
    'examples.',
    'tracking-kills.',
    'package.',
    'labels-for-kills.',
    'answer-limits.',
    'container.',
  ],
  ...['input-limits.', 'labels.', 'executable.', 'processes/', 'fuzz-http.'],
  ...['reliability-page.', 'mirror-postgres.', 'keyring.', 'export-kills.', 'tracking-disk.'],
  ...['printing.', 'site.', 'mirror-kills.', 'pudo-map.'],
].map((name) => `/test/system/${name}`)
/**
 * Paths of tests that need a fresh process: in one that has compiled much code V8 stops optimizing regular expressions,
 * and those for emoji take five times the CPU.
 */
const IN_FRESH_PROCESS = ['/test/property/output.']
const FIRST = [
  ...IN_FRESH_PROCESS,
  ...LONGEST,
  '/test/unit/bulk/run/pace.',
  '/test/e2e/',
  '/test/commands/',
  '/test/property/',
]

/** Runs the longest files first, then vitest's order. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const turn = ({ moduleId }: TestSpecification) => {
      const at = FIRST.findIndex((place) => moduleId.includes(place))
      return at === -1 ? FIRST.length : at
    }
    return (await super.sort(files)).sort((a, b) => turn(a) - turn(b))
  }
}

/** Files that the build imports as text. */
const TEXT_FILE = /\.(?:yaml|css|bash|zsh|fish|ps1)$/

/** Shared configuration of `npm test` and `npm run test:system`. */
export function configOf(name: string, folders: string, timeoutMs: number) {
  return defineConfig({
    // Same text imports as in build.mjs.
    plugins: [
      {
        name: 'files-as-texts',
        enforce: 'pre',
        // vite would take an id that ends in .css for a style sheet.
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
      // Forks instead of threads, because some tests measure the CPU time of their process.
      pool: 'forks',
      // V8's young generation is too small for the many short-lived objects of tests: a tenth less CPU.
      execArgv: ['--max-semi-space-size=64'],
      // More workers than cores, as many tests wait for a process, a socket or a timer.
      maxWorkers: availableParallelism() + 2,
      // Shared modules are safe: no test writes to a module or to the environment.
      isolate: false,
      globalSetup: 'test/helpers/temporary.ts',
      setupFiles: 'test/helpers/property-seed.ts',
      sequence: { sequencer: LongFirst },
      restoreMocks: true,
      // A test that asserts nothing, e.g. over an empty list, fails. A busy machine takes seconds to start a process.
      expect: { requireAssertions: true, poll: { timeout: 30_000 } },
      // The interop would take the promise that jq-web exports for the module.
      deps: { interopDefault: false },
      // vite would warn about the source map that its package lacks.
      server: { deps: { external: [/zpl-renderer-js/] } },
      // The library that draws the desk draws nothing where CI is set.
      env: { NO_COLOR: '1', TZ: 'UTC', CI: 'false' },
      reporters: TEST_REPORTS
        ? ['default', ['json', { outputFile: `${TEST_REPORTS}/${name}.json` }]]
        : ['default'],
    },
  })
}

export default configOf('tests', '{unit,commands,e2e,property,surface,layout}', 60_000)
