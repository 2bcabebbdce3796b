declare module 'pgpass' {
  interface Asked {
    host: string
    port: number
    user: string
    database: string
  }
  /** That of the file `PGPASSFILE`, or `~/.pgpass`. */
  export default function pgpass(asked: Asked, answer: (password: string | undefined) => void): void
}
