// Advances the clock of a sandbox with a million returns by three days: duration, the server's peak memory, and delay
// of other requests.
import { setTimeout as delay } from 'node:timers/promises'
import { homeEnv, inScratch, memoryMiB, mustRun, rma, sized, startSandbox, tail } from './measure.mjs'
import { grouped } from './page.mjs'

const RETURNS = sized(1_000_000, 2000)
const PAUSE_MS = 20

export async function bench() {
  return inScratch(async (folder) => {
    const env = homeEnv(folder)
    const start = () => startSandbox(['--data', folder, '--returns', String(RETURNS)], env)
    // Another server fills the data, to exclude its memory.
    await (await start()).stop()
    const sandbox = await start()
    const waits = []
    let isMoving = true
    const asking = ask(sandbox, waits, () => isMoving)
    const { ms } = await mustRun(process.execPath, [rma, 'sandbox', 'advance', '3d', '--data', folder], {
      env,
    })
    isMoving = false
    await asking
    const peakMiB = memoryMiB(sandbox.pid, 'VmHWM')
    await sandbox.stop()
    const longest = Math.max(...waits).toFixed(0)
    return [
      {
        what: `clock moved by 3 days, ${grouped(RETURNS)} returns`,
        ms: { median: ms },
        peakMiB,
      },
      {
        what: '`GET /returns?limit=20` meanwhile',
        ms: tail(waits),
        note: `longest: ${longest} ms`,
      },
    ]
  })
}

async function ask({ baseUrl, token }, waits, goesOn) {
  while (goesOn()) {
    const from = performance.now()
    const answer = await fetch(`${baseUrl}/returns?limit=20`, {
      headers: { authorization: `Bearer ${token}` },
    })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`${answer.status} while the clock was moved`)
    waits.push(performance.now() - from)
    await delay(PAUSE_MS)
  }
}
