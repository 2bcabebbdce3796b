import { Flags } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import { switchFlag } from '../../lib/cli/global-flags.ts'
import { keepToken, newToken, profileWithToken, tryToken } from '../../lib/services/auth/sign-in.ts'
import { profileSchema, renderProfile } from '../../lib/services/profiles/profiles.result.ts'

export default class AuthLogin extends BaseCommand<typeof AuthLogin> {
  static override summary = 'Store a token in a profile'
  static override description =
    'The token is asked for without being shown, or read from --token-file FILE, or from standard input with ' +
    '--token-file -. One read tries it out before it is stored in the settings file. With --keyring this ' +
    "and later logins to the profile store it in the operating system's keyring."
  static override examples = [
    'rma auth login --profile staging',
    'rma auth login --profile staging --keyring',
    'vault read -field=token returns | rma auth login --profile live --token-file -',
  ]
  static override flags = {
    keyring: switchFlag(
      "Keep it in the operating system's keyring, or no longer: libsecret, Keychain, Credential Manager",
      { allowNo: true },
    ),
    verify: Flags.boolean({ allowNo: true, default: true, summary: 'Try the token out before it is stored' }),
  }
  static override result = { json: profileSchema }

  async run() {
    const { context, flags } = this
    const profile = await profileWithToken(context)
    const token = await newToken(context, profile)
    if (flags.verify) await tryToken(context, profile, token)
    const signedIn = await keepToken(context, profile, token, flags.keyring)
    const shops = token.shops === undefined ? '' : ` Shops: ${token.shops.join(', ')}.`
    const where = signedIn.keyring ? ' The token is in the keyring.' : ''
    await renderProfile(context, `Signed in to ${profile.name}.${shops}${where}`, signedIn)
  }
}
