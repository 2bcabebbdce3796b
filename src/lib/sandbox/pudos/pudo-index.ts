import { connect, type Database, isBusy, prepareListQuery, prepareQuery } from '../store/database.ts'
import { MEMORY, writeTransaction } from '../store/open.ts'
import type { PointRow } from './demo-points.ts'
import { boxesAround, distanceM, type Place } from './sphere.ts'
import { hasTowns, type PostalArea, placeKey, type Town, townKeys } from './towns.ts'

/** Raised whenever the towns, the points or the tables change: files of another version are made anew. */
export const INDEX_VERSION = 2

const TABLES = `
  CREATE TABLE towns (
    no INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL, region TEXT NOT NULL, lat REAL NOT NULL,
    lon REAL NOT NULL, population INTEGER NOT NULL, zone TEXT NOT NULL, area TEXT NOT NULL
  ) STRICT;
  CREATE TABLE names (country TEXT, key TEXT, town INTEGER, PRIMARY KEY (country, key, town)) STRICT, WITHOUT ROWID;
  CREATE TABLE areas (country TEXT, prefix TEXT, town INTEGER, PRIMARY KEY (country, prefix)) STRICT, WITHOUT ROWID;
  CREATE VIRTUAL TABLE points USING rtree (
    no, south, north, west, east, +lat REAL, +lon REAL, +network INTEGER, +type INTEGER, +town INTEGER
  );
  PRAGMA user_version = ${INDEX_VERSION};
`
const DROP = ['towns', 'names', 'areas', 'points'].map((name) => `DROP TABLE IF EXISTS ${name};`).join('')

export interface PudoData {
  towns: readonly Town[]
  areas: readonly PostalArea[]
  points: readonly PointRow[]
}

export interface NearestQuery {
  center: Place
  rangeM: number
  /** Index in `NETWORKS`. */
  network: number
  /** Index in `PUDO_LOCATION_TYPES`; without it, all. */
  type: number | undefined
  limit: number
}

export interface IndexedPoint {
  point: PointRow
  town: Town
  distanceM: number
}

type TownCells = Omit<Town, 'timeZone' | 'aliases' | 'country'> & { country: string; zone: string }
type PointCells = PointRow & { town: number }
type PlaceCells = readonly [no: number, lat: number, lon: number]

const TOWN_COLUMNS = 'no, name, country, region, lat, lon, population, zone, area'
/** More than there are points, so that a distance and a number fit one double. */
const NUMBERS = 2 ** 24

/** Drop-off points by place, and the places that addresses name. */
export interface PudoIndex {
  nearest(query: NearestQuery): IndexedPoint[]
  townsNamed(country: string, name: string): Town[]
  /** The town at the centre of a postal code's area. */
  townOfPostalCode(country: string, postalCode: string): Town | undefined
  close(): void
}

/** An index made the first time, while others wait; in memory where `file` can't be used, since it can be made again. */
export async function openPudoIndex(file: string, makeData: () => Promise<PudoData>): Promise<PudoIndex> {
  if (file !== MEMORY) {
    try {
      return queriesOf(await opened(file, makeData))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error
    }
  }
  return queriesOf(await opened(MEMORY, makeData))
}

async function opened(file: string, makeData: () => Promise<PudoData>): Promise<Database> {
  const db = await connect(file)
  try {
    if (!isCurrent(db)) {
      const data = await makeData()
      // Nothing of it goes to the disk before the end, so that whoever looks meanwhile isn't held up.
      db.exec('PRAGMA cache_size = -65536')
      await writeTransaction(db, file, () => {
        if (!isCurrent(db)) fill(db, data)
      })
      db.exec('PRAGMA cache_size = -8192')
    }
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function isCurrent(db: Database): boolean {
  try {
    const row = prepareQuery<{ version: number }>(
      db,
      'SELECT user_version AS version FROM pragma_user_version',
    ).get()
    return row?.version === INDEX_VERSION
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  }
}

/** Rows go in as one JSON text a table: three times as fast as one statement a row. */
function fill(db: Database, { towns, areas, points }: PudoData): void {
  const insert = (into: string, columns: number, rows: readonly unknown[]) => {
    const values = Array.from({ length: columns }, (_, i) => `value ->> ${i}`).join(', ')
    db.prepare(`INSERT INTO ${into} SELECT ${values} FROM json_each(?)`).run([JSON.stringify(rows)])
  }
  db.exec(DROP)
  db.exec(TABLES)
  insert(
    'towns',
    9,
    towns.map((t) => [t.no, t.name, t.country, t.region, t.lat, t.lon, t.population, t.timeZone, t.area]),
  )
  insert(
    'names',
    3,
    towns.flatMap((town) => [...townKeys(town)].map((key) => [town.country, key, town.no])),
  )
  insert(
    'areas',
    3,
    areas.map(({ country, prefix, town }) => [country, prefix, town ?? null]),
  )
  insert(
    'points',
    10,
    points.map((p) => [p.no, p.lat, p.lat, p.lon, p.lon, p.lat, p.lon, p.network, p.type, p.town]),
  )
}

function queriesOf(db: Database): PudoIndex {
  const inBox = prepareListQuery<PlaceCells>(
    db,
    `SELECT no, lat, lon FROM points WHERE north >= ? AND south <= ? AND east >= ? AND west <= ?
      AND network = ? AND (? IS NULL OR type = ?)`,
  )
  const byNumbers = prepareQuery<PointCells>(
    db,
    `SELECT no, lat, lon, network, type, town FROM points WHERE no IN (SELECT value FROM json_each(?))`,
  )
  const townsByNumbers = prepareQuery<TownCells>(
    db,
    `SELECT ${TOWN_COLUMNS} FROM towns WHERE no IN (SELECT value FROM json_each(?))`,
  )
  const byName = prepareQuery<TownCells>(
    db,
    `SELECT ${TOWN_COLUMNS} FROM towns WHERE no IN (SELECT town FROM names WHERE country = ? AND key = ?)
      ORDER BY population DESC, no`,
  )
  const areaUpTo = prepareQuery<{ prefix: string; town: number | null }>(
    db,
    'SELECT prefix, town FROM areas WHERE country = ? AND prefix <= ? ORDER BY prefix DESC LIMIT 1',
  )
  return {
    nearest({ center, rangeM, network, type = null, limit }) {
      const within = (reachM: number): number[] =>
        boxesAround(center, reachM).flatMap(({ south, north, west, east }) =>
          inBox.all(south, north, west, east, network, type, type).flatMap(([no, lat, lon]) => {
            const metres = distanceM(center, { lat, lon })
            return metres <= reachM ? [metres * NUMBERS + no] : []
          }),
        )
      // In a city a fraction of the range holds all that is wanted, and reading rows is what takes the time; where there
      // are few, looking again takes none.
      let reachM = rangeM / 64
      let keys = within(reachM)
      while (keys.length < limit && reachM < rangeM) {
        reachM = Math.min(reachM * 2, rangeM)
        keys = within(reachM)
      }
      const nearest = [...Float64Array.from(keys).sort().subarray(0, limit)]
      const numbers = nearest.map((key) => key % NUMBERS)
      const points = new Map(byNumbers.all(JSON.stringify(numbers)).map((row) => [row.no, row]))
      const townNumbers = [...new Set([...points.values()].map(({ town }) => town))]
      const towns = new Map(
        townsByNumbers.all(JSON.stringify(townNumbers)).map((row) => [row.no, toTown(row)]),
      )
      return nearest.map((key) => {
        const point = points.get(key % NUMBERS)
        const town = towns.get(point?.town ?? -1)
        if (point === undefined || town === undefined)
          throw new Error(`The index lacks point ${key % NUMBERS}`)
        return { point, town, distanceM: Math.floor(key / NUMBERS) }
      })
    },
    townsNamed: (country, name) => byName.all(country, placeKey(name)).map(toTown),
    townOfPostalCode: (country, postalCode) => {
      const key = areaKey(country, postalCode)
      const area = areaUpTo.get(country, key)
      if (area === undefined || area.town === null) return undefined
      if (hasSingleKeys(country) && area.prefix !== key) return undefined
      return townsByNumbers.all(JSON.stringify([area.town])).map(toTown)[0]
    },
    close: () => db.close(),
  }
}

/** There the areas are no ranges: each has a name of its own. */
function hasSingleKeys(country: string): boolean {
  return country === 'GB' || country === 'IE'
}

function areaKey(country: string, postalCode: string): string {
  const bare = postalCode.toUpperCase().replace(/[^A-Z\d]/g, '')
  if (country === 'GB') return /^[A-Z]*/.exec(bare)?.[0] ?? ''
  return country === 'IE' ? bare.slice(0, 3) : bare
}

function toTown({ zone, country, ...row }: TownCells): Town {
  if (!hasTowns(country)) throw new Error(`The index has an unknown country ${country}`)
  return { ...row, country, timeZone: zone, aliases: [] }
}
