import { Args } from '@oclif/core'
import { BaseCommand } from '../lib/cli/base-command.ts'
import { switchFlag } from '../lib/cli/global-flags.ts'
import { listOf } from '../lib/output/view.ts'
import { sampleSchema, samplesView, writeSamples } from '../lib/services/samples/write-samples.ts'

export default class Samples extends BaseCommand<typeof Samples> {
  static override summary = 'Write the files that README and docs use'
  static override description =
    'Lists of updates, label requests, goods and so on, made of the returns that the sandbox has now, so that every ' +
    'example can be tried. A file that is there with other content stays, and then none is written.'
  static override examples = ['rma samples', 'rma samples try-rma -o json', 'rma samples --force']
  static override args = {
    dir: Args.string({ description: 'folder; this one by default', default: '.', ignoreStdin: true }),
  }
  static override flags = {
    force: switchFlag('Replace files that have other content'),
  }
  static override result = { json: listOf(sampleSchema, 'files') }

  async run() {
    const { args, context, flags } = this
    const files = await writeSamples(context, { folder: args.dir, force: flags.force })
    await context.renderList(files, samplesView, 'files')
    const written = files.filter(({ outcome }) => outcome === 'written').length
    await context.done([written, 'written'], [files.length - written, 'was there', 'were there'])
  }
}
