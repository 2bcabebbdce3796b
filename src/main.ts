import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Entry point of the binary.
 *
 * @param root folder of the package
 * @param commandTable path, from the root, of a command table other than the built one's
 */
export async function main(root: string, commandTable?: string): Promise<void> {
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const argv = process.argv.slice(2)
  if (argv[0] === '--version' || argv[0] === '-V') {
    // Here, because scripts ask for it often and nothing else is needed for the answer.
    process.stdout.write(
      `${pjson.name}/${pjson.version} ${process.platform}-${process.arch} node-${process.version}\n`,
    )
    return
  }
  if (commandTable !== undefined) pjson.oclif.commands.target = commandTable
  const [{ execute }, { processIo }] = await Promise.all([
    import('./lib/command/execute.ts'),
    import('./lib/command/io.ts'),
  ])
  const io = processIo()
  process.exitCode = await execute(argv, io, { root, pjson, ignoreManifest: commandTable !== undefined })
  // What was interrupted may be something that cannot be cancelled, and would keep the process alive.
  if (io.interrupt.aborted) process.exit()
}
