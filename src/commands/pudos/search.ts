import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import { RETURN_FORMS } from '../../lib/cli/return-arg.ts'
import { pudosView } from '../../lib/services/pudos/search.result.ts'
import { searchPudos } from '../../lib/services/pudos/search.ts'
import { CUSTOMER_LANGUAGES } from '../../lib/wire/languages.ts'

export default class PudosSearch extends BaseCommand<typeof PudosSearch> {
  static override extraFormats = ['geojson'] as const
  static override summary = 'Find drop-off points near a place'
  static override description =
    "Points of all carrier services together, nearest first: without --carrier-service the return's own, else those of the " +
    "shop's return methods (rma methods calculate). Besides the usual formats there is -o geojson."
  static override examples = [
    '<%= config.bin %> <%= command.id %> --city Madrid --country ES --carrier-service SBX_STANDARD --shop LUMBRE-ES',
    "<%= config.bin %> <%= command.id %> LU105189 --open-at 'sat 18:00' --paste",
    '<%= config.bin %> <%= command.id %> --lat 51.5 --lon -0.12 --carrier-service EVRI_PARCELSHOP --shop HARROW-UK --map points.html',
  ]
  static override args = {
    return: Args.string({
      description: `search near the customer of this return, with its carrier service: ${RETURN_FORMS}`,
      ignoreStdin: true,
    }),
  }
  static override flags = {
    lat: Flags.string({ helpValue: 'DEGREES', summary: 'Latitude; coordinates win over an address' }),
    lon: Flags.string({ helpValue: 'DEGREES', summary: 'Longitude' }),
    address: Flags.string({ helpValue: 'TEXT', summary: 'Street and number' }),
    city: Flags.string({ helpValue: 'NAME', summary: 'City' }),
    'postal-code': Flags.string({ helpValue: 'CODE', summary: 'Postal code' }),
    country: Flags.string({ helpValue: 'CODE', summary: 'Country: ES, DE …' }),
    'carrier-service': Flags.string({
      helpValue: 'CODE',
      summary: 'Carrier service whose points are wanted, more than once for several',
      multiple: true,
      multipleNonGreedy: true,
    }),
    limit: Flags.string({
      helpValue: 'N',
      summary: 'Points of each carrier service, 20 by default, at most 200',
    }),
    range: Flags.string({ helpValue: 'KM', summary: 'How far away, 10 km by default, at most 100' }),
    type: Flags.string({
      helpValue: 'TYPE',
      summary: 'Only SERVICE_POINT, LOCKER, POST_OFFICE or CARRIER_DEPOT',
    }),
    'open-at': Flags.string({
      helpValue: 'WHEN',
      summary:
        "Only those open then, by their own clocks: now, 'sat 18:00', 'tomorrow 9:00', '2026-11-28 18:00'",
    }),
    map: Flags.string({
      helpValue: 'FILE.html',
      summary: 'Also write a page with a map, which works offline',
    }),
    language: Flags.string({
      helpValue: 'CODE',
      summary: "Of the page, by default that of the customer's country",
      options: [...CUSTOMER_LANGUAGES],
      dependsOn: ['map'],
    }),
    force: Flags.boolean({ summary: 'Replace the page if it has other content', dependsOn: ['map'] }),
    paste: Flags.boolean({ summary: 'One line of text for each point, to paste into a chat' }),
  }

  static override get result() {
    return {
      view: pudosView(new WeakMap(), false),
      json: async () => (await import('../../lib/wire/pudos.ts')).pudosResponseSchema,
    }
  }

  async run(): Promise<void> {
    await searchPudos(this.args.return, this.flags, this.context, this.connection)
  }
}
