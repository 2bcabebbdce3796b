import type { Context } from '../../cli/context.ts'
import { mappingStore } from '../../mappings/store.ts'
import { mappingView, oneMappingView } from './mappings.result.ts'

async function mappingRecord({ paths }: Context, name: string) {
  const { path, mapping } = await mappingStore(paths).read(name)
  return { name, path, ...mapping }
}

export async function listMappings(context: Context) {
  const names = await mappingStore(context.paths).allNames()
  const items = await Promise.all(names.map((name) => mappingRecord(context, name)))
  await context.renderList(items, mappingView)
}

export async function showMapping(context: Context, name: string) {
  await context.render({ kind: 'record', record: await mappingRecord(context, name), view: oneMappingView })
}
