import type { RuleFile } from '../rules.ts'
import { FJORD_SE } from './fjord-se.ts'
import { LUMBRE_ES } from './lumbre-es.ts'
import { HARROW_UK, SORA_JP } from './others.ts'
import { PINECREST_US } from './pinecrest-us.ts'

/** By shop code; a file in the data directory replaces a shop's. */
export const BUILT_IN_RULES: Readonly<Record<string, RuleFile>> = {
  'LUMBRE-ES': LUMBRE_ES,
  'HARROW-UK': HARROW_UK,
  'PINECREST-US': PINECREST_US,
  'SORA-JP': SORA_JP,
  'FJORD-SE': FJORD_SE,
}
