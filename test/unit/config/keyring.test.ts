import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Keyring } from '../../../src/lib/config/keyring.ts'
import { runTokenProgram } from '../../../src/lib/config/token-program.ts'
import { WINDOWS_VAULT_SCRIPT } from '../../../src/lib/config/windows-vault.ts'
import { AppError } from '../../../src/lib/errors.ts'
import { powerShellProblems } from '../../helpers/powershell-syntax.ts'

const ENTRY = { profile: 'live', origin: 'https://returns.example:8443' }
const ACCOUNT = 'live@https://returns.example:8443'
/** A service may issue what it likes. */
const TOKEN = `a"b\\c'd$e`

/** A folder with a program that stands in for one of another system, and records what it is given. */
function standIn(name: string, answer: string) {
  const folder = mkdtempSync(join(tmpdir(), 'rma-stand-in-'))
  const log = join(folder, 'log')
  writeFileSync(
    join(folder, name),
    `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
const args = process.argv.slice(2), kept = ${JSON.stringify(join(folder, 'kept'))}
const input = args.includes('-w') || args[0] === 'delete-generic-password' ? '' : readFileSync(0, 'utf8')
appendFileSync(${JSON.stringify(log)}, JSON.stringify({ args, input }) + '\\n')
const keep = (text) => writeFileSync(kept, text)
const print = () => { if (existsSync(kept)) process.stdout.write(readFileSync(kept, 'utf8') + '\\n'); else process.exitCode = 44 }
const remove = () => { if (existsSync(kept)) rmSync(kept); else process.exitCode = 44 }
${answer}`,
    { mode: 0o755 },
  )
  const notes: string[] = []
  const around = {
    env: { PATH: folder },
    signal: new AbortController().signal,
    onText: () => {},
    onNote: (line: string) => notes.push(line),
  }
  const calls = (): { args: string[]; input: string }[] =>
    readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  return { around, calls, notes }
}

describe('the keyring of another system, by a program that stands in for its own', () => {
  it('macOS: security is told the token on its standard input', async () => {
    const { around, calls } = standIn(
      'security',
      `if (args[0] === '-i') keep(/-w "(.*)"\\n$/.exec(input)[1].replace(/\\\\(.)/g, '$1'))
       else if (args[0] === 'find-generic-password') print()
       else remove()`,
    )
    const keyring = new Keyring(around, 'darwin')
    expect(await keyring.find(ENTRY)).toBeUndefined()
    await keyring.keep(ENTRY, TOKEN)
    expect(await keyring.find(ENTRY)).toBe(TOKEN)
    await keyring.remove(ENTRY)
    await keyring.remove(ENTRY)
    const [find, keep, , , remove] = calls()
    expect(find?.args).toEqual(['find-generic-password', '-s', 'rma-cli', '-a', ACCOUNT, '-w'])
    expect(keep).toEqual({
      args: ['-i'],
      input: `add-generic-password -U -s rma-cli -a ${ACCOUNT} -l "rma: live" -w "a\\"b\\\\c'd$e"\n`,
    })
    expect(remove?.args).toEqual(['delete-generic-password', '-s', 'rma-cli', '-a', ACCOUNT])
    await expect(keyring.keep(ENTRY, 'x'.repeat(4090))).rejects.toMatchObject({ kind: 'usage' })
  })

  it('Windows: the script for PowerShell can be read, and is told the token on its standard input', async () => {
    // The grammar knows no name of a type with its assembly.
    const known = WINDOWS_VAULT_SCRIPT.replace(/^\[void\]\[.*\n/m, '')
    expect(await powerShellProblems(known)).toEqual([])
    const { around, calls } = standIn(
      'powershell.exe',
      `const asked = JSON.parse(input)
       if (asked.do === 'keep') keep(asked.token)
       else if (asked.do === 'find') print()
       else remove()`,
    )
    const keyring = new Keyring(around, 'win32')
    await keyring.keep(ENTRY, TOKEN)
    expect(await keyring.find(ENTRY)).toBe(TOKEN)
    await keyring.remove(ENTRY)
    expect(await keyring.find(ENTRY)).toBeUndefined()
    const [keep] = calls()
    expect(JSON.parse(keep?.input ?? '')).toEqual({
      do: 'keep',
      service: 'rma-cli',
      account: ACCOUNT,
      token: TOKEN,
    })
    expect(keep?.args.slice(0, -1)).toEqual(['-NoProfile', '-NonInteractive', '-EncodedCommand'])
    expect(Buffer.from(keep?.args.at(-1) ?? '', 'base64').toString('utf16le')).toBe(WINDOWS_VAULT_SCRIPT)
  })

  it.each([
    ['process.exit(51)', 'config', 'security ended with 51'],
    ['console.error("x: User interaction is not allowed."); process.exit(36)', 'auth', 'not allowed'],
    ['', 'config', 'did not keep the token'],
    ['process.kill(process.pid, "SIGKILL")', 'config', 'security ended with SIGKILL'],
  ])('says what is wrong, and what else can be done: %s', async (answer, kind, words) => {
    const { around } = standIn('security', answer)
    const error = await new Keyring(around, 'darwin').keep(ENTRY, TOKEN).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ kind, message: expect.stringContaining(words) })
    expect(error).toMatchObject({ hints: expect.arrayContaining([expect.stringContaining('--no-keyring')]) })
  })

  it('without its program is a setting that can not be', async () => {
    const { around } = standIn('nothing', '')
    await expect(new Keyring(around, 'linux').find(ENTRY)).rejects.toMatchObject({
      kind: 'config',
      message: 'The keyring needs the program secret-tool, which is not there.',
    })
  })
})

it('what is waited for is said, and it is given up at its time', async () => {
  const { around, notes } = standIn('hang', 'setInterval(() => {}, 1000)')
  const hang = runTokenProgram(
    {
      what: 'the vault',
      words: [join(around.env.PATH, 'hang')],
      input: '',
      limitMs: 1000,
      fail: (what) => new AppError('auth', what),
    },
    around,
  )
  await expect(hang).rejects.toThrow('took longer than 1 s')
  expect(notes).toEqual(['Waiting for the vault, 1 s at most'])
})
