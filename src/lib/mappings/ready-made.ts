import type { TransportStatus } from '../wire/enumerations.ts'
import { MAPPING_VERSION, type Mapping } from './mapping.ts'

type Words = Readonly<Partial<Record<TransportStatus, string>>>

/** Splits codes and words at `|`. */
function statuses(words: Words): Record<string, string> {
  return Object.fromEntries(
    Object.entries(words).flatMap(([status, list]) => list.split('|').map((word) => [word, status])),
  )
}

interface ReadyMade {
  source: string
  columns?: Record<string, string>
  statuses?: Words
  date?: Mapping['date']
  carrier?: string
}

const UNPUBLISHED = 'columns of exports are not published, and are told from the file'

/** Formats that carriers publish, by the name for `--mapping`. */
const READY_MADE: Readonly<Record<string, ReadyMade>> = {
  aftership: {
    source:
      'columns: help.wineshipping.com/kb, Premium Tracking Definitions; statuses: aftership.com/docs/tracking/enum/' +
      'delivery-statuses; dates are not described, and are told from the file',
    columns: { trackingNumber: 'Tracking number', trackingStatus: 'Status', carrierName: 'Carrier' },
    statuses: {
      REQUESTED: 'InfoReceived|Information Received|Pending',
      SHIPPING_IN_PROGRESS:
        'InTransit|In Transit|OutForDelivery|Out for Delivery|AttemptFail|Failed Attempt|AvailableForPickup|Available for Pickup',
      SHIPPING_COMPLETED: 'Delivered',
    },
  },
  bring: {
    source: `statuses: developer.bring.com/api/tracking and gist.github.com/oc/1250684; ${UNPUBLISHED}`,
    carrier: 'Bring',
    statuses: {
      REQUESTED: 'PRE_NOTIFIED|FORHÅNDSMELDT',
      PICK_UP_COMPLETED: 'COLLECTED|INNHENTET',
      SHIPPING_IN_PROGRESS:
        'HANDED_IN|INNLEVERT|TERMINAL|CUSTOMS|TOLL|INTERNATIONAL|INTERNASJONAL|IN_TRANSIT|UNDERVEIS|' +
        'TRANSPORT_TO_RECIPIENT|UTKJØRING_TIL_MOTTAKER|ATTEMPTED_DELIVERY|FORSØKT_UTLEVERT|NOTIFICATION_SENT|' +
        'VARSEL_SENDT|READY_FOR_PICKUP|KLAR_FOR_HENTING',
      SHIPPING_COMPLETED: 'DELIVERED|UTLEVERT',
      SHIPPING_FAILED: 'RETURN|RETUR',
    },
  },
  dhl: {
    source: `statuses: developer.dhl.com/api-reference/shipment-tracking (statusCode); ${UNPUBLISHED}`,
    carrier: 'DHL',
    statuses: {
      REQUESTED: 'pre-transit',
      SHIPPING_IN_PROGRESS: 'transit',
      SHIPPING_COMPLETED: 'delivered',
      SHIPPING_FAILED: 'failure',
    },
  },
  dpd: {
    source:
      'columns and dates: it-integration.dpd.be/dpd-shipper/tracking/edi-statusdata (SCANINFO files of DPD Belgium); ' +
      'scan codes: integrations.dpd.nl/dpd-shipper/other-information/statusdata-via-sftp. Which of the reference ' +
      'columns has the return is up to the customer, and is told from the file',
    carrier: 'DPD',
    columns: {
      trackingNumber: 'PARCELNO',
      trackingStatus: 'SCAN_CODE',
      trackingDate: 'SCAN_DATE_TIME',
      trackingStatusDescription: 'INFO_TEXT',
    },
    date: { format: 'YYYYMMDDHHmmss', zone: 'Europe/Brussels' },
    statuses: {
      PICK_UP_COMPLETED: '15',
      SHIPPING_IN_PROGRESS: '01|02|03|04|05|08|09|10|12|14',
      SHIPPING_COMPLETED: '13',
      SHIPPING_FAILED: '06',
    },
  },
  fedex: {
    source: `statuses: docs.digitalgenius.com/docs/fedex-track-trace (codes of FedEx Track Service); ${UNPUBLISHED}`,
    carrier: 'FedEx',
    statuses: {
      REQUESTED: 'OC|OF',
      PICK_UP_COMPLETED: 'PU',
      SHIPPING_IN_PROGRESS:
        'AA|AC|AD|AF|AP|AR|AX|DP|DR|DS|EA|ED|EO|EP|FD|HL|IT|IX|LO|OD|OX|PF|PL|PM|SF|SP|TR|CC|CD|CP|DD|DY',
      SHIPPING_COMPLETED: 'DL',
      SHIPPING_FAILED: 'RS',
      SHIPPING_CANCELLED: 'CA',
    },
  },
  gls: {
    source: `statuses: docs.digitalgenius.com/docs/gls-tracking-api-automation (codes of GLS Track and Trace); ${UNPUBLISHED}`,
    carrier: 'GLS',
    statuses: {
      REQUESTED: 'EPSEND|INFO.SIGSER-PILOT|INTIAL.PREADVICE|PREADVICE',
      SHIPPING_IN_PROGRESS:
        'CHANGD|CHECK|CLEAR|CONCON|CUDACA|FOWARD|INBOUD|INTIAL|LOADED|NDAYEV|OUTBOD|OUTDEL|RELEAS|UNLOCK|VOLPCL|' +
        'WHOUSE|WHOUSE.NORMAL|WHOUSE.AWAIT_PICKUP|NOTDEL|NOUTDL|NTDEL2|REQRDL|CLLCTD|INFO.CONFIRMED|NOUTDL.AWAIT_PICKUP',
      SHIPPING_COMPLETED: 'DELIVD|INFO.SIGWSUR|INFO.GREENDELIVER|PICKOK.NORMAL',
      SHIPPING_FAILED: 'RETCUS|RETURN|WHOUSE.SPERETURN|REFUSD|DSTROY',
      SHIPPING_CANCELLED: 'CANCEL',
      PICK_UP_CANCELLED: 'CLLCAN|PIKCAN',
      PICK_UP_FAILED: 'CLLCPB|PICKPB|PIKPB2|PINOAT',
    },
  },
  'metapack-tracking': {
    source:
      'columns and dates: help.metapack.com/hc/en-gb/articles/360020017177-File-format (PTS tracking file); of the 61 ' +
      'status names only those that say it in common words are taken. The zone is a column of its own there, which is ' +
      'not read: give --time-zone',
    columns: {
      trackingStatus: 'ParcelStatusName',
      trackingNumber: 'CarrierConsignmentCode',
      trackingDate: 'AchievedDateTime',
      carrierName: 'CarrierCode',
      trackingStatusDescription: 'StatusText',
    },
  },
  'nshift-portal': {
    source:
      'columns and dates: helpcenter.nshift.com/hc/en-us/articles/8236906651292-Standard-Portal-Export-setup (CSV with ' +
      'headers: PostNord and others); status texts are those of the carriers, and are taken where they are common words',
    columns: {
      trackingNumber: 'Shipment number',
      trackingStatus: 'Status',
      trackingDate: 'Status date',
      carrierName: 'Carrier',
    },
    statuses: { REQUESTED: 'Transmitted' },
  },
  'royal-mail': {
    source:
      'statuses: github.com/elliotjreed/royal-mail-tracking and github.com/jampez77/RoyalMail (event codes of the Royal ' +
      `Mail Tracking API); ${UNPUBLISHED}`,
    carrier: 'Royal Mail',
    statuses: {
      REQUESTED: 'EVAIE|EVAIP',
      SHIPPING_IN_PROGRESS:
        'EVPPA|EVDAV|EVIMC|EVDAC|EVBAV|EVIAV|EVGMI|EVGPD|EVNSR|EVNDA|EVKNA|EVKNR|EVODO|EVORI|EVOAC|EVOCO|EVNRT|EVPLA|RSRXS|RORXS',
      SHIPPING_COMPLETED: 'EVKSP|EVKSF|EVKOP|EVPLC|Delivered and Signed',
    },
  },
  ups: {
    source:
      'statuses: UPS Tracking XML Developer Guide of 2018-07-25 (types I, D, X, P, M), vdocuments.site/' +
      'trackingups-signature-tracking.html; X, an exception, may be anything and is left to you. The layout of Quantum ' +
      `View Data files has positions and no header; ${UNPUBLISHED}`,
    carrier: 'UPS',
    statuses: {
      REQUESTED:
        'M|Manifest|Billing Information Received|Order Processed: Ready for UPS|Shipment Ready for UPS',
      PICK_UP_COMPLETED: 'P|Pickup|Pickup Scan|Origin Scan',
      SHIPPING_IN_PROGRESS: 'I|In Transit|Out For Delivery|Out For Delivery Today',
      SHIPPING_COMPLETED: 'D|Delivered',
    },
  },
  usps: {
    source:
      'statuses: docs.digitalgenius.com/docs/usps-tracking (texts), event codes of the customer daily extract ' +
      '(online.documentine.com/usps-zip-code-file-download). The extract itself (usps.com/cpim/ftp/pubs/pub97/' +
      `97apxs_004.html) has positions and no header; ${UNPUBLISHED}`,
    carrier: 'USPS',
    statuses: {
      REQUESTED:
        'MA|GX|Pre-Shipment|Pre-Shipment Info Sent to USPS|Shipping Label Created|USPS Awaiting Item|' +
        'Shipping Label Created, USPS Awaiting Item',
      SHIPPING_IN_PROGRESS:
        '02|53|07|Accepted|In Transit|In-Transit|Out for Delivery|Notice Left|Delivery Attempted|Forwarded|' +
        'Rescheduled|Available for Pickup|Held at Post Office|Inbound Into Customs|Awaiting Delivery Scan|' +
        'Shipment Received, Package Acceptance Pending',
      SHIPPING_COMPLETED: '01|Delivered|Delivered, PO Box',
      SHIPPING_FAILED: 'Return to Sender Processed|Refused|Insufficient Address',
    },
  },
}

export const READY_MADE_NAMES: readonly string[] = Object.keys(READY_MADE)

export function readyMade(name: string): Mapping | undefined {
  const found = Object.hasOwn(READY_MADE, name) ? READY_MADE[name] : undefined
  if (found === undefined) return undefined
  const { source, columns = {}, date, carrier } = found
  return {
    version: MAPPING_VERSION,
    source,
    columns,
    statuses: statuses(found.statuses ?? {}),
    ...(date && { date }),
    constants: carrier === undefined ? {} : { carrierName: carrier },
    leaveOut: [],
    looseNames: false,
    commonWords: true,
    detect: true,
  }
}
