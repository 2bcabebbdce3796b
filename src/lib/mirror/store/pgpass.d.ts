declare module 'pgpass' {
  interface Asked {
    host: string
    port: number
    user: string
    database: string
  }
  export default function pgpass(asked: Asked, answer: (password: string | undefined) => void): void
}
