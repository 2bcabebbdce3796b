import * as z from 'zod'
import { LABEL_FORMATS, TRANSPORTATION_STATUSES } from '../../wire/enumerations.ts'
import { acknowledgementSchema } from '../../wire/tracking.ts'
import { oneLine, returnName } from './inputs.ts'
import { folderInside, type RootFolder, relativeTo } from './root-folder.ts'
import { flags, type Tool, tool } from './tools.ts'

/** Question for the person, before the command line: `Make a label? It may cost money.` */
export type WritingTool = Tool & { question: string }

/** `labels create` and `tracking push`, of one thing each, and without what would go past a safeguard. */
export function writingTools(root: RootFolder | undefined): WritingTool[] {
  return [...(root ? [createLabel(root)] : []), REPORT_TRACKING]
}

const files = z.object({
  ...{ clientShipmentId: z.string(), parcel: z.number(), path: z.string(), format: z.string() },
  ...{ bytes: z.number(), sha256: z.string(), carrierTrackingCode: z.string(), outcome: z.string() },
})

function createLabel(root: RootFolder): WritingTool {
  return {
    question: 'Make a shipping label? It may cost money.',
    ...tool({
      name: 'create_label',
      title: 'Make a shipping label',
      description:
        'Make the label of a return and save it. A label that there is already is saved instead. The person is asked.',
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
      output: z.object({ files: z.array(files) }),
      words: ({ return: name, carrierService, format, folder, register }) => [
        ...['labels', 'create'],
        ...flags({ for: name, 'carrier-service': carrierService, format, out: folderInside(root, folder) }),
        ...(register === undefined ? [] : [register ? '--register' : '--no-register']),
      ],
      result: (printed) => relativeTo(root, printed),
    }),
  }
}

const REPORT_TRACKING: WritingTool = {
  question: 'Report to the platform where a parcel is?',
  ...tool({
    name: 'report_tracking',
    title: 'Report where a parcel is',
    description: 'Tell the platform the transport status of a return. The person is asked.',
    input: z.strictObject({
      return: returnName,
      status: z.enum(TRANSPORTATION_STATUSES),
      carrier: oneLine('Carrier').optional(),
      number: oneLine('Tracking number').optional(),
      description: oneLine('The status in words').optional(),
      date: oneLine('When that was; by default now').optional(),
      shop: oneLine('Code of its shop, where the server was started for several').optional(),
    }),
    output: z.object({
      statusCode: acknowledgementSchema.shape.statusCode,
      outcome: z.string(),
      applied: z.boolean(),
      reason: z.string(),
    }),
    words: ({ return: name, ...given }) => ['tracking', 'push', ...flags(given), '--', name],
    result: (printed) => printed,
  }),
}
