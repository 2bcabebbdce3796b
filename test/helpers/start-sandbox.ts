import { type Env, typed } from './command-line.ts'
import { type CliResult, runCli } from './run-cli.ts'

interface StartedSandbox {
  baseUrl: string
  token: string
  /** Certificate file of --tls-self-signed. */
  caFile: string
  stop(): Promise<CliResult>
}

/** Runs `rma sandbox start` in this process, by default on a free port with ten returns. */
export function startSandbox(env: Env, ...argv: string[]): Promise<StartedSandbox> {
  const end = new AbortController()
  return new Promise((resolve, reject) => {
    const size = argv.includes('--returns') ? [] : typed`--returns 10`
    const port = argv.includes('--port') ? [] : typed`--port 0`
    const running = runCli(typed`sandbox start ${port} ${size} --json ${argv}`, {
      env,
      terminate: end.signal,
      onOutput: (stdout) => {
        if (!stdout.trimEnd().endsWith('}')) return
        const { baseUrl, token, caFile } = JSON.parse(stdout)
        const stop = () => {
          end.abort()
          return running
        }
        resolve({ baseUrl, token, caFile, stop })
      },
    })
    void running.then(({ code, stderr }) => reject(new Error(`ended with ${code}: ${stderr}`)))
  })
}
