import { basename } from 'node:path'
import { headOfTable } from '../../bulk/rows/open.ts'
import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { type Detected, detectMapping } from '../../mappings/detect.ts'
import type { Mapping } from '../../mappings/mapping.ts'
import { mappingStore } from '../../mappings/store.ts'
import { mappingView } from '../../output/views/mappings.ts'

export interface InitFlags {
  name?: string | undefined
  map?: readonly string[] | undefined
  set?: readonly string[] | undefined
  status?: readonly string[] | undefined
  'date-format'?: string | undefined
  sheet?: string | undefined
  force?: boolean | undefined
}

/** Looks at an export, and keeps how it is read. @throws AppError `usage` if that can't be told */
export async function initMapping(context: Context, file: string, flags: InitFlags): Promise<void> {
  await context.checkOutput(mappingView)
  const { timeZone } = await context.settings()
  const store = mappingStore(context.paths)
  const name =
    flags.name ??
    basename(file)
      .replace(/\.\w+$/, '')
      .replace(/[^\w.-]+/g, '-')
  const path = store.pathOf(name)
  if (!flags.force && (await store.names()).includes(name)) {
    throw new AppError('usage', `There is a mapping ${name}.`, {
      hints: ['--force replaces it, --name gives another'],
    })
  }
  const { detected, sheet } = await look(file, flags.sheet, timeZone.value)
  const { mapping, open } = withFlags(detected, flags, timeZone.value)
  await store.write(name, sheet === undefined ? mapping : { ...mapping, sheet })
  await context.render({ kind: 'record', record: { name, path, ...mapping }, view: mappingView })
  for (const what of open) await context.warn(`can't tell ${what}`)
  await context.note(`See what every row becomes: rma mappings check ${name} ${file}`)
}

/** Of a workbook with several sheets the one with the most columns that are known. */
async function look(
  file: string,
  sheet: string | undefined,
  zone: string,
): Promise<{ detected: Detected; sheet: string | undefined }> {
  const first = await headOfTable(file, { name: file, sheet })
  const sheets = sheet === undefined && first.sheets.length > 1 ? first.sheets : [sheet]
  let best: { detected: Detected; sheet: string | undefined } | undefined
  for (const one of sheets) {
    const { rows } = one === sheet ? first : await headOfTable(file, { name: file, sheet: one })
    const detected = detectMapping(rows, zone)
    const columns = (found: Detected | undefined) => Object.keys(found?.mapping.columns ?? {}).length
    if (detected && columns(detected) > columns(best?.detected)) best = { detected, sheet: one }
  }
  if (best) return best
  throw new AppError('usage', `${file}: no row looks like a header.`, {
    hints: ['name the columns yourself: rma tracking push --map FIELD=COLUMN'],
  })
}

/** What the flags say goes before what was found. */
function withFlags({ mapping, open }: Detected, flags: InitFlags, zone: string): Detected {
  const columns = { ...mapping.columns, ...pairs('--map', flags.map) }
  const statuses = { ...mapping.statuses, ...pairs('--status', flags.status) }
  const constants = pairs('--set', flags.set)
  const format = flags['date-format']
  const date: Mapping['date'] =
    format === undefined ? mapping.date : { ...mapping.date, format, zone: mapping.date?.zone ?? zone }
  const said = [
    ...Object.keys({ ...columns, ...constants }).map((field) => `--map ${field}=`),
    ...Object.keys(statuses).map((text) => `--status '${text}=`),
    ...(format === undefined ? [] : ['--date-format']),
  ]
  const left = open.filter((what) => !said.some((flag) => what.includes(flag)))
  return { mapping: { ...mapping, columns, statuses, constants, ...(date && { date }) }, open: left }
}

function pairs(flag: string, given: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    given.map((text): [string, string] => {
      const [, name = '', value = ''] = /^(.+)=([^=]+)$/.exec(text) ?? []
      if (name !== '') return [name.trim(), value.trim()]
      throw new AppError('usage', `${flag}: ${JSON.stringify(text)} has no "=".`)
    }),
  )
}
