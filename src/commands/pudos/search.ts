import { BaseCommand } from '../../lib/cli/base-command.ts'
import { namedReturn, optionalArg, RETURN_FORMS } from '../../lib/cli/global-flags.ts'
import { pudoFlags } from '../../lib/services/pudos/query-flags.ts'
import { pudosSchema, pudosView } from '../../lib/services/pudos/search.result.ts'
import { searchPudos } from '../../lib/services/pudos/search.ts'

export default class PudosSearch extends BaseCommand<typeof PudosSearch> {
  static override extraFormats = ['geojson'] as const
  static override summary = 'Find drop-off points near a place'
  static override description =
    "Points of all carrier services together, nearest first: without --carrier-service the return's own, else those of the " +
    "shop's return methods (rma methods calculate). Besides the usual formats there is -o geojson."
  static override examples = [
    'rma pudos search --city Madrid --country ES --carrier-service SBX_STANDARD --shop LUMBRE-ES',
    "rma pudos search LU105189 --open-at 'sat 18:00' --paste",
    'rma pudos search --lat 51.5 --lon -0.12 --carrier-service EVRI_PARCELSHOP --shop HARROW-UK --map points.html',
  ]
  static override args = {
    return: {
      ...optionalArg(`search near the customer of this return, with its carrier service: ${RETURN_FORMS}`),
      parse: namedReturn,
    },
  }
  static override flags = pudoFlags
  static override result = {
    view: pudosView(new WeakMap(), false),
    json: pudosSchema,
  }

  async run() {
    await searchPudos(this.args.return, this.flags, this.context)
  }
}
