import { isProtected } from '../config/profile.ts'
import type { ProfileStore } from '../config/profiles.ts'
import type { Settings } from '../config/settings.ts'
import { AppError, usageError } from '../errors.ts'
import type { Progress } from '../output/progress.ts'
import type { Streams } from '../output/streams.ts'
import { wrapMessage } from '../output/width.ts'
import type { Io } from './process-io.ts'

interface Asking {
  io: Pick<Io, 'stdin' | 'stderr' | 'interrupt'>
  streams: Streams
  progress: Progress
  profiles: ProfileStore
  settings(): Promise<Settings>
}

export class Questions {
  hasAsked = false

  constructor(private readonly context: Asking) {}

  /** True on a terminal: piped input may belong to a script's loop. */
  get canAsk() {
    const { stdin, stderr } = this.context.io
    return stdin.isTTY === true && stderr.isTTY === true
  }

  /**
   * Counts every answer but yes as a no, which means `otherwise`: `nothing was sent`. @throws AppError `usage`,
   * `interrupted`
   */
  async ask(question: string, otherwise: string) {
    const answer = await this.askText(`${question} [y/N]`, otherwise)
    if (!/^y(es)?$/i.test(answer)) throw usageError(`Not confirmed: ${otherwise}.`)
  }

  async askText(question: string, otherwise: string): Promise<string> {
    const { io, progress, streams } = this.context
    this.hasAsked = true
    progress.stop()
    await streams.flush()
    const { createInterface } = await import('node:readline/promises')
    const lines = createInterface({ input: io.stdin, output: io.stderr })
    const ended = new AbortController()
    let isInterrupted = false
    // In raw mode Ctrl-C is a key, not a signal.
    lines.on('SIGINT', () => {
      isInterrupted = true
      lines.close()
    })
    lines.on('close', () => ended.abort())
    const signal = AbortSignal.any([io.interrupt, ended.signal])
    const prompt = wrapMessage(`${question} `, streams.err.columns)
    const answer = await lines.question(prompt, { signal }).catch(() => '')
    lines.close()
    if (isInterrupted || io.interrupt.aborted) throw new AppError('interrupted', `Interrupted, ${otherwise}.`)
    return answer.trim()
  }

  /** @param reason such as `The profile live is protected` @param hints besides `--yes` */
  async askToSend(question: string, reason: string, hints: readonly string[]) {
    if (!this.canAsk) throw nobodyToAsk(reason, hints)
    await this.ask(question, 'nothing was sent')
  }

  /**
   * Asks before the first write. From then on a closed output does not end the command. @param isBroad
   * concerns more than was named one by one, so it is asked under any profile
   */
  async confirmWrite(what: string | (() => Promise<string>), yes: boolean | undefined, isBroad = false) {
    this.context.streams.outliveReader()
    const { isProtected, profile } = await this.context.settings()
    if (yes || !(isProtected || (isBroad && this.canAsk))) return
    const name = profile?.value ?? ''
    if (!this.canAsk) {
      throw nobodyToAsk(`The profile ${name} is protected`, ['--dry-run shows what would be sent'])
    }
    const suffix = isProtected ? ` under the protected profile ${name}` : ''
    await this.ask(`${typeof what === 'string' ? what : await what()}${suffix}?`, 'nothing was sent')
  }

  /** Asks on a terminal; a script is refused for a protected profile only. */
  async confirmRemoval(question: string, { yes, profile }: { yes: boolean | undefined; profile: string }) {
    if (yes) return
    if (this.canAsk) return this.ask(question, 'nothing was changed')
    if (isProtected(await this.context.profiles.get(profile))) {
      throw nobodyToAsk(`The profile ${profile} is protected`, [])
    }
  }
}

function nobodyToAsk(reason: string, hints: readonly string[]) {
  return usageError(`${reason}, and there is no terminal to ask on.`, '--yes answers the question', ...hints)
}
