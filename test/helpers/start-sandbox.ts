import { type CliResult, runCli } from './run-cli.ts'

interface StartedSandbox {
  baseUrl: string
  token: string
  stop(): Promise<CliResult>
}

/** `rma sandbox start` in this process, with ten returns, on a free port. */
export function startSandbox(env: Record<string, string>, ...argv: string[]): Promise<StartedSandbox> {
  const end = new AbortController()
  return new Promise((resolve, reject) => {
    const running = runCli(['sandbox', 'start', '--port', '0', '--returns', '10', '--json', ...argv], {
      env,
      terminate: end.signal,
      onOutput: (stdout) => {
        if (!stdout.trimEnd().endsWith('}')) return
        const { baseUrl, token } = JSON.parse(stdout)
        const stop = () => {
          end.abort()
          return running
        }
        resolve({ baseUrl, token, stop })
      },
    })
    void running.then(({ code, stderr }) => reject(new Error(`ended with ${code}: ${stderr}`)))
  })
}
