import net, { type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { type Env, typed } from '../helpers/command-line.ts'
import { runCli } from '../helpers/run-cli.ts'
import { closing, listening } from '../helpers/script-server.ts'
import { spawnCli, spawnEnvAt } from '../helpers/spawn-cli.ts'

/** A server that does this with each connection once something has come in, and never closes one. */
async function server(begin: (socket: Socket) => void) {
  const waiting = net.createServer((socket) => socket.once('data', () => begin(socket)))
  onTestFinished(closing(waiting))
  return `127.0.0.1:${await listening(waiting)}`
}

/** Beginning of an answer, and a piece that is repeated more often than any time-out. */
function trickle(socket: Socket, start: string, text: string) {
  socket.write(start)
  const timer = setInterval(() => socket.write(text), 100)
  socket.once('close', () => clearInterval(timer))
}

const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\n'
const OK = 'HTTP/1.1 200 OK\r\n'
const COMMANDS = [['returns', 'list'], typed`api POST /shipping_trackings -f a=b`]

type Run = (argv: string[], options: { env: Env }) => Promise<{ code: number | null; stderr: string }>

/** The exit codes of a read and of a write, each with a time-out of one second. */
async function codes(baseUrl: string, run: Run) {
  const env = spawnEnvAt(baseUrl, { RMA_TIME_ZONE: 'UTC' })
  const endings = COMMANDS.map((argv) => run(typed`${argv} --timeout 1 --retries 0`, { env }))
  return (await Promise.all(endings)).map(({ code, stderr }) => {
    expect(stderr).toMatch(/^Error: /m)
    return code
  })
}

// The built command shows of one ending of each kind that an open connection does not keep the process.
it.each<[string, (socket: Socket) => void, Run?]>([
  [
    'with Upgrade and Connection',
    (socket) => socket.write(`${SWITCH}Upgrade: x\r\nConnection: Upgrade\r\n\r\n`),
    spawnCli,
  ],
  ['with Upgrade alone', (socket) => socket.write(`${SWITCH}Upgrade: x\r\n\r\n`)],
  ['with Connection alone', (socket) => socket.write(`${SWITCH}Connection: Upgrade\r\n\r\n`)],
  ['with neither', (socket) => socket.write(`${SWITCH}\r\n`)],
])(
  '101 on a connection that stays open, %s: no time-out is waited for',
  async (_name, begin, run = runCli) => {
    expect(await codes(`http://${await server(begin)}`, run)).toEqual([8, 10])
  },
)

it.each<[string, (socket: Socket) => void, Run?]>([
  ['that never comes', () => {}],
  [
    'of one byte after the other',
    (socket) => trickle(socket, `${OK}Content-Length: 9999\r\n\r\n`, ' '),
    spawnCli,
  ],
  [
    'of one chunk after the other',
    (socket) => trickle(socket, `${OK}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'),
  ],
  ['of one header after the other', (socket) => trickle(socket, OK, 'X-More: 1\r\n')],
  ['of one 103 after the other', (socket) => trickle(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n')],
])('an answer %s ends by --timeout', async (_name, begin, run = runCli) => {
  expect(await codes(`http://${await server(begin)}`, run)).toEqual([7, 10])
})

it('TLS that is never agreed on ends by --timeout, and nothing was sent', async () => {
  expect(await codes(`https://${await server(() => {})}`, runCli)).toEqual([7, 7])
})
