import type { RuleFile } from '../rules.ts'
import FJORD_SE from './FJORD-SE.json'
import HARROW_UK from './HARROW-UK.json'
import LUMBRE_ES from './LUMBRE-ES.json'
import PINECREST_US from './PINECREST-US.json'
import SORA_JP from './SORA-JP.json'

/**
 * Rules by shop code; a file in the data directory replaces a shop's. Postal codes left out are beyond customs, by air
 * or sea.
 */
export const BUILT_IN_RULES = {
  'LUMBRE-ES': LUMBRE_ES,
  'HARROW-UK': HARROW_UK,
  'PINECREST-US': PINECREST_US,
  'SORA-JP': SORA_JP,
  'FJORD-SE': FJORD_SE,
} as Readonly<Record<string, RuleFile>>
