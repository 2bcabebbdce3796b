import { isTransportStatus, type TransportStatus } from '../wire/enumerations.ts'

/**
 * Normalised words of carriers in English, German, French, Spanish, Italian and Dutch. The first match counts:
 * failures and plans contain the word for what is done.
 */
const PATTERNS: readonly (readonly [TransportStatus | undefined, RegExp])[] = [
  // Only a person can tell whether these are an end.
  [undefined, /\b(exception|unknown|on hold|problem\w*|incidencia|anomali\w*|giacenza|unbekannt)\b/],
  // A place from which the shop or the customer has to collect it is no end.
  [
    undefined,
    /(deliver|zugestell|entreg|consegn|bezorgd|afgeleverd|livr|deposit)\w*.*\b(parcel ?shop|access ?point|service ?point|pick ?up|punto?|locker|point|relais|filiale|oficina|ufficio|neighbou?r|nachbar\w*|vecino|vicino|buren|voisin)\b/,
  ],
  [
    undefined,
    /\b(not|nicht|non|no|nao|niet|pas) (\w+ )?(delivered|entregue|zugestellt|livre|entregado|consegnat|bezorgd)/,
  ],
  [
    'PICK_UP_CANCELLED',
    /(pick ?up|collect|abhol|enlevement|recogida|ritiro|ophal)\w*.*(cancel|annul|storn|anul)/,
  ],
  [
    'PICK_UP_FAILED',
    /(pick ?up|collect|abhol|enlevement|recogida|ritiro|ophal)\w*.*(fail|missed|fehl|echou|fallid)/,
  ],
  ['SHIPPING_CANCELLED', /\b(cancel\w*|void\w*|annul\w*|storn\w*|anulad\w*|geannuleerd)\b/],
  // The parcel will be brought again.
  ['SHIPPING_IN_PROGRESS', /\battempt\w*|zustellversuch|tentative|intento|tentativo|poging/],
  ['SHIPPING_FAILED', /\b(lost|undeliverable|damaged|refused|rejected|failed|failure|destroyed)\b/],
  ['SHIPPING_FAILED', /return\w* to (the )?(sender|shipper)|zuruck an|retour (a l )?(expediteur|afzender)/],
  [
    'SHIPPING_FAILED',
    /\b(verloren|beschadigt|beschadigd|unzustellbar|verweigert|geweigerd|fehlgeschlagen)\b/,
  ],
  ['SHIPPING_FAILED', /\b(perdue?|endommage|echec|echoue|perdid[oa]|danad[oa]|fallid[oa]|rechazad[oa])\b/],
  ['SHIPPING_FAILED', /\b(smarrit[oa]|danneggiat[oa]|rifiutat[oa]|respint[oa])\b|devuelto al remitente/],
  ['REQUESTED', /label (created|printed|generated|aangemaakt)|pre ?transit|info\w* received|not handed in/],
  ['REQUESTED', /\b(requested|registered|pending|announced|manifested|angekundigt|angemeldet|aangemeld)\b/],
  ['REQUESTED', /etiquette creee|annonce|etiqueta creada|prerregistrad|preaviso|etichetta creata|voorgemeld/],
  [
    'PICK_UP_IN_PROGRESS',
    /(out for|awaiting|scheduled).*(pick ?up|collection)|being picked up|abholung (geplant|beauftragt)/,
  ],
  ['PICK_UP_IN_PROGRESS', /recogida (programada|en curso)|enlevement (prevu|programme)|ritiro programmato/],
  [
    'PICK_UP_COMPLETED',
    /picked ?up|\bcollected\b|abgeholt|\benleve\b|\brecogid[oa]\b|\britirat[oa]\b|opgehaald/,
  ],
  ['SHIPPING_IN_PROGRESS', /out for delivery|for delivery|in zustellung|cours de livraison|en livraison/],
  [
    'SHIPPING_IN_PROGRESS',
    /en reparto|en entrega|em (entrega|transito)|in consegna|in bezorging|wordt bezorgd|zustellfahrzeug/,
  ],
  ['SHIPPING_COMPLETED', /\b(delivered|completed|zugestellt|ausgeliefert|geliefert|livree?|distribuee?)\b/],
  [
    'SHIPPING_COMPLETED',
    /\b(entregad[oa]|entregue|consegnat[oa]|bezorgd|afgeleverd|remise?|geleverd)\b|arrived at the shop/,
  ],
  [
    'SHIPPING_IN_PROGRESS',
    /transit|on (its|the) way|out for|unterwegs|en cours|en route|en camino|in viaggio/,
  ],
  [
    'SHIPPING_IN_PROGRESS',
    /onderweg|dispatched|shipped|departed|arrived|sorted|\baccepted\b|acceptance|drop/,
  ],
  ['SHIPPING_IN_PROGRESS', /customs|zoll|douane|aduana|dogana|versandt|eingeliefert|pris en charge|expedie/],
  [
    'SHIPPING_IN_PROGRESS',
    /admitid[oa]|enviad[oa]|\bpartit[oa]\b|spedit[oa]|verzonden|gesorteerd|sortiert|transport/,
  ],
]

/** Returns undefined for unknown words, or words of more than one meaning. */
export function statusInWords(text: string): TransportStatus | undefined {
  const words = plainWords(text)
  const code = words.toUpperCase().replaceAll(' ', '_')
  return isTransportStatus(code) ? code : PATTERNS.find(([, pattern]) => pattern.test(words))?.[0]
}

/** Lower case, without accents; `InTransit` and `IN_TRANSIT` as `in transit`. */
export function plainWords(text: string): string {
  return text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
