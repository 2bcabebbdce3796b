import { configOf } from './vitest.config.mts'

/** Tests that need a Debian package, installed by `.ci/run`, and slow ones: crashes, limits, generated pages. */
export default configOf('system', 'system', 120_000)
