import { lazySchema } from '../../output/lazy-schema.ts'

export const completionSchema = lazySchema((z) =>
  z.union([
    z.object({ shell: z.string(), script: z.string() }),
    z
      .object({ shell: z.string(), file: z.string(), changed: z.boolean(), next: z.string() })
      .describe('With --install'),
  ]),
)
