import { asTyped } from './command-line.ts'
import { runCli } from './run-cli.ts'

/** Runs command lines in an environment: runIn(env)`returns list`. */
export const runIn = (env: Record<string, string>) => asTyped((argv) => runCli(argv, { env }))
