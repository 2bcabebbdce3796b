/** The database was made by a version that knows more steps. */
export class UnknownMigration extends Error {
  override readonly name = 'UnknownMigration'
}
