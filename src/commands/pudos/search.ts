import { BaseCommand } from '../../lib/cli/base-command.ts'
import { listFlag, optionalArg, RETURN_FORMS, switchFlag, textFlag } from '../../lib/cli/global-flags.ts'
import { pudosView } from '../../lib/services/pudos/search.result.ts'
import { searchPudos } from '../../lib/services/pudos/search.ts'
import { CUSTOMER_LANGUAGES } from '../../lib/wire/geography.ts'

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
    return: optionalArg(`search near the customer of this return, with its carrier service: ${RETURN_FORMS}`),
  }
  static override flags = {
    lat: textFlag('DEGREES', 'Latitude; coordinates win over an address'),
    lon: textFlag('DEGREES', 'Longitude'),
    address: textFlag('TEXT', 'Street and number'),
    city: textFlag('NAME', 'City'),
    'postal-code': textFlag('CODE', 'Postal code'),
    country: textFlag('CODE', 'Country: ES, DE …'),
    'carrier-service': listFlag(
      'CODE',
      'Carrier service whose points are wanted, more than once for several',
      { multipleNonGreedy: true },
    ),
    limit: textFlag('N', 'Points in all, the nearest; 20 by default, at most 200'),
    range: textFlag('KM', 'How far away, 10 km by default, at most 100'),
    type: textFlag('TYPE', 'Only SERVICE_POINT, LOCKER, POST_OFFICE or CARRIER_DEPOT, or its words'),
    'open-at': textFlag(
      'WHEN',
      "Only those open then, by their own clocks: now, 'sat 18:00', 'tomorrow 9:00', '2026-11-28 18:00'",
    ),
    map: textFlag('FILE.html', 'Also write a page with a map, which works offline'),
    language: textFlag('CODE', "Of the page, by default that of the customer's country", {
      options: [...CUSTOMER_LANGUAGES],
      dependsOn: ['map'],
    }),
    force: switchFlag('Replace the page if it has other content', { dependsOn: ['map'] }),
    paste: switchFlag('One line of text for each point, to paste into a chat'),
  }

  static override get result() {
    return {
      view: pudosView(new WeakMap(), false),
      json: async () => (await import('../../lib/wire/pudos.ts')).pudosResponseSchema,
    }
  }

  async run() {
    await searchPudos(this.args.return, this.flags, this.context, this.connection)
  }
}
