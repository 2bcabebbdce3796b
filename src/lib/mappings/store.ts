import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { appError, causedBy, errorCode, nearHints, usageError } from '../errors.ts'
import { readJsonFile, writeJsonFile } from '../files/json-file.ts'
import { makeFolders } from '../files/make-folder.ts'
import { MAPPING_VERSION, type Mapping, mappingSchema } from './mapping.ts'

/** JSON Schema by which editors complete and check mappings. */
const SCHEMA = './schema/mapping.json'
const NAME = /^[\w][\w.-]*$/

export function mappingStore({ configDir }: { configDir: string }): MappingStore {
  return new MappingStore(join(configDir, 'mappings'))
}

class MappingStore {
  constructor(private readonly dir: string) {}

  pathOf(name: string) {
    if (NAME.test(name)) return join(this.dir, `${name}.json`)
    throw usageError(
      `A mapping can't be called ${JSON.stringify(name)}.`,
      'letters, digits, dots, dashes and underscores',
    )
  }

  async names() {
    const files = await readdir(this.dir).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return []
      throw causedBy(error, 'config', `${this.dir} can't be read (${errorCode(error)}).`)
    })
    return files
      .filter((file) => file.endsWith('.json'))
      .map((file) => file.slice(0, -'.json'.length))
      .sort()
  }

  /** Prefers a user's mapping to a ready-made one. @throws AppError `not-found`, `config` */
  async read(name: string): Promise<{ path: string | null; mapping: Mapping }> {
    const path = this.pathOf(name)
    const own = await readJsonFile(path, mappingSchema, MAPPING_VERSION, ['correct it by hand, or remove it'])
    if (own) return { path, mapping: own }
    const { READY_MADE_NAMES, readyMade } = await import('./ready-made.ts')
    const mapping = readyMade(name)
    if (mapping) return { path: null, mapping }
    const known = [...(await this.names()), ...READY_MADE_NAMES]
    throw appError(
      'not-found',
      `There is no mapping ${name}.`,
      ...nearHints(name, known),
      'make one from an export: rma mappings init FILE',
    )
  }

  async allNames() {
    const { READY_MADE_NAMES } = await import('./ready-made.ts')
    return [...new Set([...(await this.names()), ...READY_MADE_NAMES])]
  }

  async write(name: string, mapping: Mapping) {
    const path = this.pathOf(name)
    await makeFolders(join(this.dir, 'schema'), 0o700)
    await writeJsonFile(join(this.dir, SCHEMA), z.toJSONSchema(mappingSchema, { io: 'input' }))
    await writeJsonFile(path, { $schema: SCHEMA, ...mapping })
  }
}
