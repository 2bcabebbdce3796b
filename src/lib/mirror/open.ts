import { statSync } from 'node:fs'
import type { Mirror } from './mirror.ts'

/** A file of SQLite, or a database of PostgreSQL. */
export type MirrorPlace = { file: string } | { url: string }

/** Opens a mirror, made if it is not there. Its folder must be. The drivers load here only. */
export async function openMirror(place: MirrorPlace): Promise<Mirror> {
  if (!('file' in place)) throw new Error('not yet')
  const { file } = place
  const [{ openSqlite }, { migrate }, { MirrorStore }] = await Promise.all([
    import('./sqlite.ts'),
    import('./migrations.ts'),
    import('./store.ts'),
  ])
  const db = await openSqlite(file)
  try {
    await migrate(db)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return new MirrorStore(db, async () => sizeOf(file) + sizeOf(`${file}-wal`))
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
