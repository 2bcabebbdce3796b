import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import type { ErrorKind } from '../../lib/errors.ts'
import { givenFields, profileFlags, renderProfile } from '../../lib/services/profiles/fields.ts'
import { profileSchema } from '../../lib/services/profiles/profiles.result.ts'

export default class ProfilesAdd extends BaseCommand<typeof ProfilesAdd> {
  static override summary = 'Add a profile'
  static override description =
    'Sign in to it afterwards with "auth login". Production profiles are protected unless told otherwise.'
  static override exits: readonly ErrorKind[] = []
  static override examples = [
    '<%= config.bin %> <%= command.id %> staging --environment staging --base-url https://returns.example/integration/v1',
    '<%= config.bin %> <%= command.id %> live --environment production --base-url https://returns.example/integration/v1 --use',
  ]
  static override args = {
    name: Args.string({
      description: 'letters, digits, ".", "_" and "-"',
      required: true,
      ignoreStdin: true,
    }),
  }
  static override flags = {
    ...profileFlags,
    use: Flags.boolean({ summary: 'Use it from now on' }),
  }

  static override get result() {
    return { json: profileSchema }
  }

  async run(): Promise<void> {
    const { args, context, flags } = this
    const fields = givenFields(flags)
    const profile = await context.profiles.add({ environment: 'development', ...fields, name: args.name })
    if (flags.use) await context.profiles.use(args.name)
    const next = flags.use ? 'It is in use now.' : `Use it with: rma profiles use ${args.name}`
    await renderProfile(context, `Added the profile ${args.name} (${profile.environment}). ${next}`, profile)
  }
}
