import { defineConfig } from 'vitest/config'

/** Tests that need a Debian package; `.ci/run` installs them. */
export default defineConfig({
  test: { include: ['test/system/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000, pool: 'forks' },
})
