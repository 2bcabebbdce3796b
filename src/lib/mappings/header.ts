import { plainWords } from './status-words.ts'

/** Normalised names in English, German, French, Spanish, Italian and Dutch; best first. */
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

const TIME =
  /^(time|event time|scan time|hour|horevento|hora (evento|estado|del evento)|uhrzeit|zeit|heure|hora|ora|tijd|tijdstip)$/

export function readHeader(cells: readonly string[]) {
  const plain = cells.map(plainWords)
  const columns: Record<string, string> = {}
  for (const [field, patterns] of FIELDS) {
    for (const pattern of patterns) {
      const taken = Object.values(columns)
      const column = cells.find((cell, at) => pattern.test(plain[at] ?? '') && !taken.includes(cell))
      if (column === undefined) continue
      columns[field] = column
      break
    }
  }
  return { columns, timeColumn: cells[plain.findIndex((cell) => TIME.test(cell))] }
}

const SAMPLE_ROWS = 20
const DIGIT = /\d/

/**
 * Returns the row that least resembles data: cells without digits above columns that have them. -1 if no row does so
 * in two columns.
 */
export function headerByShape(rows: readonly (readonly string[])[]): number {
  const scores = rows.map((cells, at) => {
    const names = cells.filter((cell) => cell !== '')
    if (new Set(names).size < names.length) return 0
    const below = rows.slice(at + 1, at + 1 + SAMPLE_ROWS)
    return cells.reduce((score, cell, column) => {
      const values = below.map((row) => row[column] ?? '').filter((value) => value !== '')
      const digits = values.filter((value) => DIGIT.test(value)).length
      if (cell === '' || values.length === 0) return score
      return DIGIT.test(cell) ? score - 1 : score + (digits > values.length / 2 ? 1 : 0)
    }, 0)
  })
  const best = Math.max(...scores)
  return best < 2 ? -1 : scores.indexOf(best)
}
