import { plainWords } from './status-words.ts'

/** Names of columns in English, German, French, Spanish, Italian and Dutch, normalised; best first. */
const FIELDS: readonly (readonly [string, readonly RegExp[]])[] = [
  [
    'shipmentId',
    [
      /^(shipment ?id|return (name|id|no|number)?|rma( no| number)?|retoure(nnummer)?|numero de retour)$/,
      /^(customer|client|shipper|sender|order)? ?(ref|reference)( ?(no|number|1))?$|^order( (no|number|id))?$/,
      /^(kunden)?referenz(nummer)?$|^auftrags?nummer$|^(reference|ref)( client| expediteur)?$|^(numero de )?commande$/,
      /^referencia( (del )?cliente)?$|^(numero de )?(pedido|devolucion)$|^riferimento( (cliente|mittente))?$/,
      /^(numero )?(ordine|reso)$|^(klant)?referentie$|^(order|bestel|retour)nummer$|^ihr zeichen$/,
    ],
  ],
  [
    'trackingNumber',
    [
      /^(tracking|awb|waybill|consignment|parcel|package|barcode)( ?(no|nr|number|num|id|code))?$/,
      /^(lead )?(sendungs|paket|sendungsverfolgungs)nummer$|^(numero|n) de (suivi|colis)$|^numero (colis|d envoi)$/,
      /^(numero|n) de (seguimiento|envio|expedicion|bulto)$|^(localizador|seguimiento)$|^codice (a barre)$/,
      /^(numero|lettera|codice) (di )?(spedizione|vettura|tracking|collo)$|^(pakket|zending|track)\w*nummer$|^barcode$/,
    ],
  ],
  [
    'trackingStatus',
    [
      /^(tracking |shipment |delivery |current |last )?status$|^(sendungs|liefer|paket)status$|^zustand$/,
      /^(statut|etat)( (du colis|de livraison|actuel))?$|^estado( (del envio|actual))?$|^situacion$/,
      /^stato( (della spedizione|consegna|attuale))?$|^(zending|pakket|bezorg)?status$|^event$|^ereignis$/,
    ],
  ],
  [
    'trackingDate',
    [
      /^(tracking|status|event|scan|last (scan|event|update|status)) ?(date|time|date time|datetime|timestamp)$/,
      /^(date|timestamp|date time|datetime|last update|datum uhrzeit|datum|zeitpunkt|statusdatum)$/,
      /^(date (du statut|statut|evenement|et heure)|fecha( (del? )?(estado|evento|y hora))?|fecha hora)$/,
      /^(data( (e )?ora| (dello )?stato| evento)?|datum tijd|scandatum|laatste scan)$/,
    ],
  ],
  [
    'trackingStatusDescription',
    [/^(status )?(description|details|beschreibung|descripcion|descrizione|omschrijving)$/],
  ],
  ['trackingUrl', [/^(tracking )?(url|link)$/]],
  [
    'carrierName',
    [/^(carrier|courier|transporteur|transportista|corriere|vervoerder|frachtfuhrer)( name)?$/],
  ],
]

const TIME = /^(time|event time|scan time|uhrzeit|zeit|heure|hora|ora|tijd|tijdstip)$/

export interface HeaderReading {
  columns: Record<string, string>
  timeColumn: string | undefined
}

/** Which columns of a row that may be the header feed which fields, by their names. */
export function readHeader(cells: readonly string[]): HeaderReading {
  const plain = cells.map(plainWords)
  const columns: Record<string, string> = {}
  for (const [field, patterns] of FIELDS) {
    for (const pattern of patterns) {
      const at = plain.findIndex((cell, index) => pattern.test(cell) && !taken(columns, cells[index]))
      if (at === -1) continue
      columns[field] = cells[at] ?? ''
      break
    }
  }
  return { columns, timeColumn: cells[plain.findIndex((cell) => TIME.test(cell))] }
}

function taken(columns: Record<string, string>, column: string | undefined): boolean {
  return Object.values(columns).includes(column ?? '')
}
