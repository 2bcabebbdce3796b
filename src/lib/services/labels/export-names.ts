import { Flags } from '@oclif/core'
import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'

export const exportFlags = {
  mapping: Flags.string({
    char: 'm',
    helpValue: 'NAME',
    summary: 'The file is an export that names returns, read by this mapping (see rma mappings list)',
  }),
}

/** The returns that an export names. @throws AppError `usage` without a file; `not-found` without the mapping */
export async function namesOfExport(
  context: Pick<Context, 'paths' | 'settings'>,
  flag: string,
  file: string | undefined,
  mapping: string,
): Promise<string[]> {
  if (file === undefined || file === '-') {
    throw new AppError('usage', `--mapping goes with ${flag} FILE.`, {
      hints: ['names, one a line, come through standard input without it'],
    })
  }
  const [{ mappingStore }, { namesInExport }] = await Promise.all([
    import('../../mappings/store.ts'),
    import('../../mappings/names-in-export.ts'),
  ])
  const { timeZone } = await context.settings()
  const read = await mappingStore(context.paths).read(mapping)
  return namesInExport(file, read.mapping, timeZone.value)
}
