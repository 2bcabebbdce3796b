import { configOf } from './vitest.config.mts'

/** Tests that need a Debian package, which `.ci/run` installs, and those that take long: crashes, limits, pages made anew. */
export default configOf('system', 'system', 120_000, 2)
