import type { Check } from '../check.ts'
import { AUTHENTICATION_CHECKS } from './authentication.ts'
import { DATE_FILTER_CHECKS } from './date-filters.ts'
import { ERROR_CHECKS } from './errors.ts'
import { FILTER_CHECKS } from './filters.ts'
import { LABEL_REQUEST_CHECKS } from './label-requests.ts'
import { LABEL_TRANSPORT_CHECKS } from './label-transports.ts'
import { LABEL_UPDATE_CHECKS } from './label-updates.ts'
import { LABEL_CHECKS } from './labels.ts'
import { LIST_CHECKS } from './list.ts'
import { METHOD_CHECKS } from './methods.ts'
import { PUDO_CHECKS } from './pudos.ts'
import { RECORD_CHECKS } from './records.ts'
import { SHOP_CHECKS } from './shops.ts'
import { SINGLE_READ_CHECKS } from './single-reads.ts'
import { TRACKING_CHECKS } from './tracking.ts'
import { ZONE_CHECKS } from './zones.ts'

/** In the order in which they run. */
export const CHECKS: readonly Check[] = [
  ...AUTHENTICATION_CHECKS,
  ...ERROR_CHECKS,
  ...LIST_CHECKS,
  ...FILTER_CHECKS,
  ...DATE_FILTER_CHECKS,
  ...ZONE_CHECKS,
  ...RECORD_CHECKS,
  ...SINGLE_READ_CHECKS,
  ...METHOD_CHECKS,
  ...PUDO_CHECKS,
  ...LABEL_CHECKS,
  ...LABEL_REQUEST_CHECKS,
  ...LABEL_TRANSPORT_CHECKS,
  ...LABEL_UPDATE_CHECKS,
  ...TRACKING_CHECKS,
  ...SHOP_CHECKS,
]
