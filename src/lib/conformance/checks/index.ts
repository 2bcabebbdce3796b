import type { Check } from '../check.ts'
import { ACCESS_CHECKS, SHOP_CHECKS } from './access.ts'
import { FILTER_CHECKS } from './filters.ts'
import { LABEL_REQUEST_CHECKS } from './label-requests.ts'
import { LABEL_UPDATE_CHECKS } from './label-updates.ts'
import { LABEL_CHECKS } from './labels.ts'
import { LIST_CHECKS, ZONE_CHECKS } from './list.ts'
import { METHOD_CHECKS } from './methods.ts'
import { PUDO_CHECKS } from './pudos.ts'
import { RECORD_CHECKS } from './records.ts'
import { SINGLE_READ_CHECKS } from './single-reads.ts'
import { TRACKING_CHECKS } from './tracking.ts'

/** Checks in the order in which they run: some build on what others made. */
export const CHECKS: readonly Check[] = [
  ACCESS_CHECKS,
  LIST_CHECKS,
  FILTER_CHECKS,
  ZONE_CHECKS,
  RECORD_CHECKS,
  SINGLE_READ_CHECKS,
  METHOD_CHECKS,
  PUDO_CHECKS,
  LABEL_CHECKS,
  LABEL_REQUEST_CHECKS,
  LABEL_UPDATE_CHECKS,
  TRACKING_CHECKS,
  SHOP_CHECKS,
].flat()
