import { homedir, hostname } from 'node:os'
import { maskText } from '../../api/trace/mask.ts'
import { type Env, readEnv } from '../../config/paths.ts'

const HOMES = /([\\/](?:home|Users|users)[\\/]+)[^\\/\s"':;,]+/g
const PASSWORD_IN_URL = /\b([a-z][a-z0-9+.-]*:\/\/)[^\s"'/]*@/gi
/** Words as short are parts of too many others. */
const MIN_NAME_LENGTH = 3

/** Texts without these secrets, without personal data, and without who works on this machine. */
export function redactor(env: Env, secrets: readonly string[]): (text: string) => string {
  const home = readEnv(env, 'HOME') ?? homedir()
  const user = ['USER', 'LOGNAME', 'USERNAME'].flatMap((name) => readEnv(env, name) ?? [])
  const names = [...new Set([...user, hostname()])].filter((name) => name.length >= MIN_NAME_LENGTH)
  const words = names.map((name) => new RegExp(`(?<![\\w-])${escaped(name)}(?![\\w-])`, 'gi'))
  return (text) => {
    // Longest first: one may begin another.
    const bare = [...secrets]
      .sort((a, b) => b.length - a.length)
      .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
      .reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
    const homeless = home.length > 1 ? bare.replaceAll(JSON.stringify(home).slice(1, -1), '~') : bare
    const masked = maskText(homeless.replace(PASSWORD_IN_URL, '$1***@').replace(HOMES, '$1***'))
    return words.reduce((rest, word) => rest.replace(word, '***'), masked)
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
