import { isProtected } from '../config/profile.ts'
import type { ProfileStore } from '../config/profiles.ts'
import type { Settings } from '../config/settings.ts'
import { AppError } from '../errors.ts'
import type { Progress } from '../output/progress.ts'
import type { Streams } from '../output/streams.ts'
import type { Io } from './process-io.ts'

interface Asking {
  io: Pick<Io, 'stdin' | 'stderr' | 'interrupt'>
  streams: Streams
  progress: Progress
  profiles: ProfileStore
  settings(): Promise<Settings>
}

/** Each throws `usage` for a no, and `interrupted` for Ctrl-C. */
export class Questions {
  readonly #asking: Asking

  constructor(asking: Asking) {
    this.#asking = asking
  }

  /** Whether someone is there to answer: what is not a terminal belongs to a script, or to its loop. */
  get canAsk(): boolean {
    const { stdin, stderr } = this.#asking.io
    return stdin.isTTY === true && stderr.isTTY === true
  }

  /** No progress draws meanwhile. All but yes is a no; `otherwise` says what that means: `nothing was sent`. */
  async ask(question: string, otherwise: string): Promise<void> {
    const answer = await this.askText(`${question} [y/N]`, otherwise)
    if (!/^y(es)?$/i.test(answer)) throw new AppError('usage', `Not confirmed: ${otherwise}.`)
  }

  /** Returns the answer, trimmed. Progress stops meanwhile. */
  async askText(question: string, otherwise: string): Promise<string> {
    const { io, progress, streams } = this.#asking
    progress.stop()
    await streams.flush()
    const { createInterface } = await import('node:readline/promises')
    const lines = createInterface({ input: io.stdin, output: io.stderr })
    const ended = new AbortController()
    let isInterrupted = false
    // The terminal hands Ctrl-C to whoever reads its keys, and it is no signal then.
    lines.on('SIGINT', () => {
      isInterrupted = true
      lines.close()
    })
    lines.on('close', () => ended.abort())
    const signal = AbortSignal.any([io.interrupt, ended.signal])
    const answer = await lines.question(`${question} `, { signal }).catch(() => '')
    lines.close()
    if (isInterrupted || io.interrupt.aborted) throw new AppError('interrupted', `Interrupted, ${otherwise}.`)
    return answer.trim()
  }

  /** `reason`: `The profile live is protected`; `hints` besides `--yes`, where there is nobody to ask. */
  async askToSend(question: string, reason: string, hints: readonly string[]): Promise<void> {
    if (!this.canAsk) throw nobodyToAsk(reason, hints)
    await this.ask(question, 'nothing was sent')
  }

  /**
   * Before the first write; from here on the command goes to its end, whatever becomes of its output.
   *
   * @param isBroad it is about what nobody has named one by one: asked on a terminal under any profile
   */
  async confirmWrite(what: string, yes: boolean | undefined, isBroad = false): Promise<void> {
    this.#asking.streams.outliveReader()
    const { isProtected, profile } = await this.#asking.settings()
    if (yes) return
    if (!isProtected) {
      if (isBroad && this.canAsk) await this.ask(`${what}?`, 'nothing was sent')
      return
    }
    const name = profile?.value ?? ''
    await this.askToSend(`${what} under the protected profile ${name}?`, `The profile ${name} is protected`, [
      '--dry-run shows what would be sent',
    ])
  }

  /** A script is not asked, unless the `profile` that it is about is protected. */
  async confirmRemoval(
    question: string,
    { yes, profile }: { yes: boolean | undefined; profile: string },
  ): Promise<void> {
    if (yes) return
    if (this.canAsk) return this.ask(question, 'nothing was changed')
    if (isProtected(await this.#asking.profiles.get(profile))) {
      throw nobodyToAsk(`The profile ${profile} is protected`, [])
    }
  }
}

function nobodyToAsk(reason: string, hints: readonly string[]): AppError {
  return new AppError('usage', `${reason}, and there is no terminal to ask on.`, {
    hints: ['--yes answers the question', ...hints],
  })
}
