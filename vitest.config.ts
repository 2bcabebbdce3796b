import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/{unit,commands,e2e,property,surface}/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    pool: 'forks',
    restoreMocks: true,
    env: { NO_COLOR: '1', TZ: 'UTC' },
  },
})
