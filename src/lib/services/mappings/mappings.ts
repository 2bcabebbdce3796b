import type { Context } from '../../cli/context.ts'
import { mappingStore } from '../../mappings/store.ts'
import { mappingView } from '../../output/views/mappings.ts'

async function mappingRecord({ paths }: Pick<Context, 'paths'>, name: string) {
  const store = mappingStore(paths)
  return { name, path: store.pathOf(name), ...(await store.read(name)) }
}

export async function listMappings(context: Context): Promise<void> {
  await context.checkOutput(mappingView)
  const names = await mappingStore(context.paths).names()
  const items = await Promise.all(names.map((name) => mappingRecord(context, name)))
  await context.render({ kind: 'list', items, view: mappingView })
}

/** @throws AppError `not-found` */
export async function showMapping(context: Context, name: string): Promise<void> {
  await context.checkOutput(mappingView)
  await context.render({ kind: 'record', record: await mappingRecord(context, name), view: mappingView })
}
