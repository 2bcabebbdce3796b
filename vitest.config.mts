import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/{unit,commands,e2e,property,surface}/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    pool: 'forks',
    restoreMocks: true,
    // A test that compares nothing, because what it looks at is empty, fails.
    expect: { requireAssertions: true },
    // jq-web exports a promise, which the interop would take for the module itself.
    deps: { interopDefault: false },
    // Its source map is not in the package, which vite would warn about.
    server: { deps: { external: [/zpl-renderer-js/] } },
    env: { NO_COLOR: '1', TZ: 'UTC' },
  },
})
