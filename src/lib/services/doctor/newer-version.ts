import { execFile } from 'node:child_process'
import type { Context } from '../../cli/context.ts'
import { type Env, readEnv } from '../../config/paths.ts'
import { childEnv } from '../../files/child-env.ts'
import { type Finding, found, skipped, well } from './examination.ts'

const PATIENCE_MS = 6000

/** The only place that asks for one: nothing of this is done behind the back of somebody who works. */
export async function lookForNewerVersion({
  io,
  version,
}: Pick<Context, 'io' | 'version'>): Promise<Finding> {
  const latest = await publishedVersion(io.env)
  if (latest === undefined) return skipped('whether there is a newer one is not known')
  return isNewer(latest, version)
    ? found(`${version}, and ${latest} is there`, 'npm install -g rma-cli')
    : well(`${version} is the latest`)
}

/** Asks npm, which knows the registry and the proxy; undefined without npm, network or publication. */
async function publishedVersion(env: Env): Promise<string | undefined> {
  // The system would look in default folders without a PATH.
  if (readEnv(env, 'PATH') === undefined) return undefined
  return new Promise((resolve) => {
    const options = {
      env: { ...childEnv(env), NO_UPDATE_NOTIFIER: '1' },
      timeout: PATIENCE_MS,
      killSignal: 'SIGKILL' as const,
      // npm is a script there, which only a shell starts; the words are constants.
      shell: process.platform === 'win32',
      windowsHide: true,
    }
    const quietly = ['--fetch-retries=0', '--loglevel=silent', '--logs-max=0']
    const words = ['view', 'rma-cli', 'version', '--json', ...quietly]
    execFile('npm', words, options, (error, stdout) => {
      const [text] = /\d+\.\d+\.\d+/.exec(error ? '' : stdout) ?? []
      resolve(text)
    })
  })
}

function isNewer(latest: string, own: string): boolean {
  const [theirs, ours] = [latest, own].map((text) =>
    (/\d+\.\d+\.\d+/.exec(text)?.[0] ?? '0').split('.').map(Number),
  )
  const at = theirs?.findIndex((part, index) => part !== ours?.[index]) ?? -1
  return at !== -1 && (theirs?.[at] ?? 0) > (ours?.[at] ?? 0)
}
