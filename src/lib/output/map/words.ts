import { counted } from '../../wire/counted.ts'
import type { PUDO_LOCATION_TYPES } from '../../wire/enumerations.ts'
import type { CustomerLanguage } from '../../wire/geography.ts'
import { ENGLISH_WEEK, type WeekWords } from './point.ts'

/** Texts of the page in one language. */
export interface MapWords extends WeekWords {
  /** BCP 47, of dates. */
  locale: string
  decimalPoint: '.' | ','
  title(place: string): string
  none: string
  /** Below the title; `asOf` is a local time. */
  head(count: number, asOf: string): string
  map: string
  list: string
  northUp: string
  /** In the legend. */
  key: { open: string; closed: string; unknown: string; here: string }
  unlocated(count: number): string
  andMore(count: number): string
  types: Readonly<Record<(typeof PUDO_LOCATION_TYPES)[number], string>>
  open: string
  openUntil(time: string): string
  shut: string
  opens(time: string): string
  always: string
  suspended: string
  unknown: string
  onOpenStreetMap: string
}

export const MAP_WORDS: Readonly<Record<CustomerLanguage, MapWords>> = {
  en: {
    ...ENGLISH_WEEK,
    locale: 'en-GB',
    decimalPoint: '.',
    title: (place) => `Drop-off points near ${place}`,
    none: 'No drop-off points were found.',
    head: (count, asOf) =>
      `${counted(count, 'point', 'points')}, nearest first. Open or closed as of ${asOf}, local time.`,
    map: 'Map',
    list: 'List',
    northUp: 'Map, north at the top',
    key: { open: 'open', closed: 'closed', unknown: 'hours not known', here: 'the place searched from' },
    unlocated: (count) => `${count} without a known position`,
    andMore: (count) => `and ${count} more`,
    types: {
      SERVICE_POINT: 'Service point',
      LOCKER: 'Locker',
      POST_OFFICE: 'Post office',
      CARRIER_DEPOT: 'Carrier depot',
    },
    open: 'Open',
    openUntil: (time) => `Open until ${time}`,
    shut: 'Closed',
    opens: (time) => `Closed, opens ${time}`,
    always: 'Open day and night',
    suspended: 'Temporarily closed',
    unknown: 'Opening hours not known',
    onOpenStreetMap: 'Show on OpenStreetMap',
  },
  es: {
    days: ['lun', 'mar', 'mié', 'jue', 'vie', 'sáb', 'dom'],
    closed: 'cerrado',
    allDay: 'todo el día',
    locale: 'es',
    decimalPoint: ',',
    title: (place) => `Puntos de entrega cerca de ${place}`,
    none: 'No se ha encontrado ningún punto de entrega.',
    head: (count, asOf) =>
      `${counted(count, 'punto', 'puntos')}, del más cercano al más lejano. Abierto o cerrado: ${asOf}, hora local.`,
    map: 'Mapa',
    list: 'Lista',
    northUp: 'Mapa, el norte está arriba',
    key: { open: 'abierto', closed: 'cerrado', unknown: 'horario desconocido', here: 'el lugar indicado' },
    unlocated: (count) => `${count} sin ubicación conocida`,
    andMore: (count) => `y ${count} más`,
    types: {
      SERVICE_POINT: 'Punto de servicio',
      LOCKER: 'Taquilla',
      POST_OFFICE: 'Oficina de correos',
      CARRIER_DEPOT: 'Delegación del transportista',
    },
    open: 'Abierto',
    openUntil: (time) => `Abierto hasta: ${time}`,
    shut: 'Cerrado',
    opens: (time) => `Cerrado, abre: ${time}`,
    always: 'Abierto día y noche',
    suspended: 'Cerrado temporalmente',
    unknown: 'Horario desconocido',
    onOpenStreetMap: 'Ver en OpenStreetMap',
  },
  fr: {
    days: ['lun', 'mar', 'mer', 'jeu', 'ven', 'sam', 'dim'],
    closed: 'fermé',
    allDay: 'toute la journée',
    locale: 'fr',
    decimalPoint: ',',
    title: (place) => `Points de dépôt près de ${place}`,
    none: 'Aucun point de dépôt n’a été trouvé.',
    head: (count, asOf) =>
      `${counted(count, 'point', 'points')}, du plus proche au plus éloigné. Ouvert ou fermé : ${asOf}, heure locale.`,
    map: 'Carte',
    list: 'Liste',
    northUp: 'Carte, le nord est en haut',
    key: { open: 'ouvert', closed: 'fermé', unknown: 'horaires inconnus', here: 'le lieu indiqué' },
    unlocated: (count) => `${count} sans position connue`,
    andMore: (count) => `et ${count} de plus`,
    types: {
      SERVICE_POINT: 'Point relais',
      LOCKER: 'Consigne',
      POST_OFFICE: 'Bureau de poste',
      CARRIER_DEPOT: 'Agence du transporteur',
    },
    open: 'Ouvert',
    openUntil: (time) => `Ouvert jusqu’à : ${time}`,
    shut: 'Fermé',
    opens: (time) => `Fermé, ouvre : ${time}`,
    always: 'Ouvert jour et nuit',
    suspended: 'Fermé temporairement',
    unknown: 'Horaires inconnus',
    onOpenStreetMap: 'Voir sur OpenStreetMap',
  },
  de: {
    days: ['Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So'],
    closed: 'geschlossen',
    allDay: 'ganztägig',
    locale: 'de',
    decimalPoint: ',',
    title: (place) => `Abgabestellen in der Nähe von ${place}`,
    none: 'Es wurde keine Abgabestelle gefunden.',
    head: (count, asOf) =>
      `${counted(count, 'Abgabestelle', 'Abgabestellen')}, die nächste zuerst. Geöffnet oder geschlossen: ${asOf}, Ortszeit.`,
    map: 'Karte',
    list: 'Liste',
    northUp: 'Karte, Norden ist oben',
    key: {
      ...{ open: 'geöffnet', closed: 'geschlossen' },
      ...{ unknown: 'Öffnungszeiten unbekannt', here: 'der angegebene Ort' },
    },
    unlocated: (count) => `${count} ohne bekannte Lage`,
    andMore: (count) => `und ${count} weitere`,
    types: {
      SERVICE_POINT: 'Paketshop',
      LOCKER: 'Paketautomat',
      POST_OFFICE: 'Postfiliale',
      CARRIER_DEPOT: 'Depot des Paketdienstes',
    },
    open: 'Geöffnet',
    openUntil: (time) => `Geöffnet bis ${time}`,
    shut: 'Geschlossen',
    opens: (time) => `Geschlossen, öffnet ${time}`,
    always: 'Tag und Nacht geöffnet',
    suspended: 'Vorübergehend geschlossen',
    unknown: 'Öffnungszeiten unbekannt',
    onOpenStreetMap: 'Auf OpenStreetMap zeigen',
  },
  it: {
    days: ['lun', 'mar', 'mer', 'gio', 'ven', 'sab', 'dom'],
    closed: 'chiuso',
    allDay: 'tutto il giorno',
    locale: 'it',
    decimalPoint: ',',
    title: (place) => `Punti di consegna vicino a ${place}`,
    none: 'Nessun punto di consegna trovato.',
    head: (count, asOf) =>
      `${counted(count, 'punto', 'punti')}, dal più vicino al più lontano. Aperto o chiuso: ${asOf}, ora locale.`,
    map: 'Mappa',
    list: 'Elenco',
    northUp: 'Mappa, il nord è in alto',
    key: { open: 'aperto', closed: 'chiuso', unknown: 'orari sconosciuti', here: 'il luogo indicato' },
    unlocated: (count) => `${count} senza posizione nota`,
    andMore: (count) => `e altri ${count}`,
    types: {
      SERVICE_POINT: 'Punto di servizio',
      LOCKER: 'Locker',
      POST_OFFICE: 'Ufficio postale',
      CARRIER_DEPOT: 'Deposito del corriere',
    },
    open: 'Aperto',
    openUntil: (time) => `Aperto fino a: ${time}`,
    shut: 'Chiuso',
    opens: (time) => `Chiuso, apre: ${time}`,
    always: 'Aperto giorno e notte',
    suspended: 'Chiuso temporaneamente',
    unknown: 'Orari sconosciuti',
    onOpenStreetMap: 'Vedi su OpenStreetMap',
  },
}
