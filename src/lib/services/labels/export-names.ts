import { Flags } from '@oclif/core'
import { spool } from '../../bulk/rows/input-file.ts'
import type { Context } from '../../cli/context.ts'
import { temporaryInput } from '../../config/paths.ts'

export const exportFlags = {
  mapping: Flags.string({
    char: 'm',
    helpValue: 'NAME',
    summary: 'The file is an export that names returns, read by this mapping (see rma mappings list)',
  }),
}

/** The returns that an export names; `-` is standard input. @throws AppError `not-found` without the mapping */
export async function namesOfExport(
  context: Pick<Context, 'io' | 'onClose' | 'paths' | 'settings' | 'untilInterrupted'>,
  file: string,
  mapping: string,
): Promise<string[]> {
  const [{ mappingStore }, { namesInExport }] = await Promise.all([
    import('../../mappings/store.ts'),
    import('../../mappings/names-in-export.ts'),
  ])
  const { timeZone } = await context.settings()
  const read = await mappingStore(context.paths).read(mapping)
  return namesInExport(await exportFile(context, file), read.mapping, timeZone.value)
}

async function exportFile(
  context: Pick<Context, 'io' | 'onClose' | 'paths' | 'untilInterrupted'>,
  file: string,
): Promise<{ path: string; name: string }> {
  if (file !== '-') return { path: file, name: file }
  const path = await temporaryInput(context)
  await context.untilInterrupted(spool(context.io.stdin, path))
  return { path, name: 'The standard input' }
}
