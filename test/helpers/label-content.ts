import { createHash } from 'node:crypto'
import { shopOf } from '../../src/lib/sandbox/demo/catalogue.ts'
import { findConnection } from '../../src/lib/sandbox/labels/connections.ts'
import { labelContent } from '../../src/lib/sandbox/labels/content.ts'
import { labelRequest } from './label-requests.ts'
import { NOW } from './sandbox-client.ts'

const connection = findConnection(shopOf({ shop: 0 }), 'SBX_STANDARD')
if (connection === undefined) throw new Error('no connection')
export const CODE = 'SX473124829ES'

/** Expected label content for the request, with changes. */
export const content = (changes: object = {}) =>
  labelContent({ request: labelRequest(changes), connection, parcel: 0, trackingCode: CODE, now: NOW })

/** Changes with any place or size of a field: draw the labels and look at them before you replace it in a test. */
export const digestOf = (zpl: Uint8Array) => createHash('sha256').update(zpl).digest('hex').slice(0, 16)
