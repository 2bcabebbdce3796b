import { lstatSync, realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import * as z from 'zod'
import { AppError, errorCode } from '../../errors.ts'
import { LABEL_FORMATS, TRANSPORTATION_STATUSES } from '../../wire/enumerations.ts'
import { at, isRecord, list } from '../../wire/raw.ts'
import { flags, oneLine, returnName, type Tool, tool } from './tools.ts'

/** Commands for one thing each, without the flags that go past a safeguard. */
export function writingTools(root: string | undefined): Tool[] {
  return [...(root === undefined ? [] : [createLabel(root)]), REPORT_TRACKING]
}

function createLabel(root: string): Tool {
  return tool('create_label', {
    input: z.strictObject({
      return: returnName,
      carrierService: oneLine("Code of the carrier service; by default the return's own").optional(),
      format: z.enum(LABEL_FORMATS).optional(),
      folder: z
        .string()
        .max(200)
        .regex(
          /^\w[\w-]*(?:\/\w[\w-]*)*$/,
          'must be a name of letters, digits, _ and -, with / between folders',
        )
        .optional()
        .describe('Folder below the one that the server was given'),
      register: z.boolean().optional().describe('Enter the new code on the return'),
    }),
    words: ({ return: name, folder, register, ...rest }) => [
      ...flags({ for: name, out: folderInside(root, folder), ...rest }),
      ...(register === undefined ? [] : [register ? '--register' : '--no-register']),
    ],
    result: (printed) => {
      const files = list(at(printed, 'files')).filter(isRecord)
      return { files: files.map((file) => ({ ...file, path: relative(root, String(file.path)) })) }
    },
  })
}

const REPORT_TRACKING = tool('report_tracking', {
  input: z.strictObject({
    return: returnName,
    status: z.enum(TRANSPORTATION_STATUSES),
    carrier: oneLine('Carrier').optional(),
    number: oneLine('Tracking number').optional(),
    description: oneLine('The status in words').optional(),
    date: oneLine('When that was; by default now').optional(),
    shop: oneLine('Code of its shop, where the server was started for several').optional(),
  }),
  words: ({ return: name, ...given }) => [...flags(given), '--', name],
})

export function openRoot(given: string): string {
  try {
    const path = realpathSync(given)
    if (lstatSync(path).isDirectory()) return path
  } catch (cause) {
    const why = errorCode(cause) === 'ENOENT' ? 'there is no such folder' : (errorCode(cause) ?? 'unknown')
    throw new AppError('usage', `--root ${given}: ${why}.`, { cause })
  }
  throw new AppError('usage', `--root ${given} is no folder.`)
}

/** Returns a folder below the root. @throws AppError `usage` where a link leads away */
function folderInside(root: string, names = ''): string {
  let folder = root
  for (const name of names.split('/').filter(Boolean)) {
    folder = join(folder, name)
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? true) continue
    throw new AppError('usage', `${names}: ${name} is a link or a file, and no folder.`, {
      hints: ['name another folder'],
    })
  }
  return `${folder}${sep}`
}
