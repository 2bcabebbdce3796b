import { BaseCommand } from '../../lib/cli/base-command.ts'
import { requiredArg, switchFlag } from '../../lib/cli/global-flags.ts'
import { givenFields, profileFlags } from '../../lib/services/profiles/fields.ts'
import { profileSchema, renderProfile } from '../../lib/services/profiles/profiles.result.ts'

export default class ProfilesAdd extends BaseCommand<typeof ProfilesAdd> {
  static override summary = 'Add a profile'
  static override description =
    'Sign in to it afterwards with "auth login". Production profiles are protected unless told otherwise.'
  static override exits = []
  static override examples = [
    'rma profiles add staging --environment staging --base-url https://returns.example/integration/v1',
    'rma profiles add live --environment production --base-url https://returns.example/integration/v1 --use',
  ]
  static override args = {
    name: requiredArg('letters, digits, ".", "_" and "-"'),
  }
  static override flags = {
    ...profileFlags,
    use: switchFlag('Use it from now on'),
  }
  static override result = { json: profileSchema }

  async run() {
    const { args, context, flags } = this
    const fields = givenFields(flags)
    const profile = await context.profiles.add({ environment: 'development', ...fields, name: args.name })
    if (flags.use) await context.profiles.use(args.name)
    const next = flags.use ? 'It is in use now.' : `Use it with: rma profiles use ${args.name}`
    await renderProfile(context, `Added the profile ${args.name} (${profile.environment}). ${next}`, profile)
  }
}
