import writeXlsxFile from 'write-excel-file/node'
import { typed } from './command-line.ts'

/** Expected updates of two rows in every export below, at 2026-11-18 09:30 and 2026-11-19 17:05 in Berlin. */
export const FIRST = { shipmentId: 'R#-1001', trackingStatus: 'SHIPPING_IN_PROGRESS' }
export const SECOND = { shipmentId: 'R#-1002', trackingStatus: 'SHIPPING_COMPLETED' }

const workbook = async (rows: (string | Date)[][], titles?: string[][]) => {
  const cell = (value: string | Date) =>
    typeof value === 'string' ? { value, type: String } : { value, type: Date, format: 'dd.mm.yyyy hh:mm' }
  const cells = (table: (string | Date)[][]) => table.map((row) => row.map(cell))
  const sheets = titles
    ? await writeXlsxFile([
        { data: cells(titles), sheet: 'Summary' },
        { data: cells(rows), sheet: 'Parcels' },
        { data: cells(rows.slice(0, 2)), sheet: 'Late parcels' },
      ])
    : await writeXlsxFile(cells(rows))
  return sheets.toBuffer()
}

/** Exports in the style of carriers: title rows, merged cells, local dates, other delimiters and encodings, totals. */
export const EXPORTS: Readonly<Record<string, () => string | Uint8Array | Promise<Uint8Array>>> = {
  'plain English': () =>
    'Tracking number,Reference,Status,Date\n01,R#-1001,In Transit,2026-11-18 09:30\n02,R#-1002,Delivered,2026-11-19 17:05',
  'German, Windows-1252, titles and a total': () =>
    Buffer.from(
      [
        'Sendungsübersicht;;;',
        'Zeitraum: 01.11.2026 - 20.11.2026;;;',
        '',
        'Paketnummer;Kundenreferenz;Status;Datum',
        '0998;R#-1001;In Zustellung;18.11.2026 09:30',
        '0999;R#-1002;Zugestellt;19.11.2026 17:05',
        'Gesamt;2;;',
      ].join('\r\n'),
      'latin1',
    ),
  'French, date and time apart': () =>
    'Numéro de suivi;Référence;Statut;Date;Heure\n8L1;R#-1001;En cours de livraison;18/11/2026;09:30\n8L2;R#-1002;Livré;19/11/2026;17:05',
  'Spanish, titles of one cell': () =>
    'Informe de envíos\nCliente: Lumbre, S.L.\n\nNº de envío;Referencia;Estado;Fecha\n77;R#-1001;En reparto;18/11/2026 09:30\n78;R#-1002;Entregado;19/11/2026 17:05\n',
  'Italian, tabs': () =>
    'Numero spedizione\tRiferimento mittente\tStato\tData ora\n5\tR#-1001\tIn consegna\t18/11/2026 09:30\n6\tR#-1002\tConsegnata\t19/11/2026 17:05',
  'Dutch, years of two digits': () =>
    'Pakketnummer;Referentie;Status;Datum\n3S1;R#-1001;Onderweg;18-11-2026 09:30\n3S2;R#-1002;Bezorgd;19-11-2026 17:05',
  'American, a clock of twelve hours': () =>
    'Tracking No,Order Number,Delivery Status,Last Scan Date\n1Z1,R#-1001,Out for Delivery,11/18/2026 9:30 AM\n1Z2,R#-1002,Delivered,11/19/2026 5:05 PM',
  'a UTF-16 export with tabs': () =>
    Buffer.from(
      '\ufeffParcel No\tReference\tStatus\tDate\n1\tR#-1001\tInTransit\t2026-11-18 09:30\n2\tR#-1002\tDELIVERED\t2026-11-19 17:05',
      'utf16le',
    ),
  'the return in a column of no known name': () =>
    'Barcode,Remark,Status,Event date\n1,R#-1001,Departed facility,20261118 09:30\n2,R#-1002,Delivered,20261119 17:05',
  'the status in a column of no known name': () =>
    'Barcode,Reference,Where,Date\n1,R#-1001,Arrived at hub,18.11.2026 09:30\n2,R#-1002,Delivered,19.11.2026 17:05',
  'names without R#-': () =>
    'AWB,Shipper reference,Status,Date time\n1,1001,In transit,2026-11-18 09:30\n2,1002,Delivered,2026-11-19 17:05',
  'a workbook with titles in merged cells': () =>
    workbook([
      ['Shipment report', '', '', ''],
      ['', '', '', ''],
      ['Parcel number', 'Reference', 'Status', 'Date'],
      ['1', 'R#-1001', 'In transit', '18.11.2026 09:30'],
      ['2', 'R#-1002', 'Delivered', '19.11.2026 17:05'],
      ['Total', '2', '', ''],
    ]),
  'a workbook with its rows on the second sheet': () =>
    workbook(
      [
        ['Parcel number', 'Reference', 'Status', 'Date'],
        ['1', 'R#-1001', 'In transit', '18.11.2026 09:30'],
        ['2', 'R#-1002', 'Delivered', '19.11.2026 17:05'],
      ],
      [
        ['Status', 'Parcels'],
        ['Delivered', '1'],
      ],
    ),
  'rows without a reference, and a remark at the end': () =>
    'Parcel ID;Your ref;Reference;Status;Timestamp\n1;a;R#-1001;Accepted;18.11.2026 09:30\n9;b;;Delivered;18.11.2026 10:00\n2;c;R#-1002;Delivered;19.11.2026 17:05\nEnd of report;;;;',
  'UPS, its numbers in a column of no known name': () =>
    'Label,Ref,Current Status,Last Scan\n1Z5R89390357567127,R#-1001,On the Way,"Nov 18, 2026 9:30 AM"\n1Z879E930346834440,R#-1002,Delivered,"Nov 19, 2026 5:05 PM"',
  'Royal Mail, months by name': () =>
    'Barcode,Your reference,Status,Event date,Event time\nRB123456785GB,R#-1001,Arrived at Delivery Office,18-Nov-2026,09:30\nRB123456785GB,R#-1002,Delivered,19-Nov-2026,17:05',
  'a portal for several carriers, a delimiter at the end of lines': () =>
    'Ordernumber;Shipment number;Receiver Name1;Carrier;Product;Status date;Status;Weight;\nR#-1001;70730254433173517;Jo;PostNord;Parcel;2026-11-18 09:30;In transit;10\nR#-1002;70730254433173518;Jo;PostNord;Parcel;2026-11-19 17:05;Delivered;10',
  'saved by Excel, with its line for the delimiter, Windows-1252': () =>
    Buffer.from(
      'sep=;\r\nPaketnummer;Ihr Zeichen;Sendungsstatus;Zeitpunkt\r\n1;R#-1001;Im Zustellfahrzeug für München;18.11.2026 09:30:00\r\n2;R#-1002;Zugestellt;19.11.2026 17:05:00',
      'latin1',
    ),
  'a workbook with a row of groups above the header, and real dates': () =>
    workbook([
      ['Shipment', '', 'Tracking', ''],
      ['Waybill no', 'Shipper reference', 'Shipment status', 'Status date'],
      ['1', 'R#-1001', 'In transit', new Date('2026-11-18T09:30:00Z')],
      ['2', 'R#-1002', 'Delivered', new Date('2026-11-19T17:05:00Z')],
    ]),
  'line ends in cells, and a total in words': () =>
    'Report of Nov 20,"for Lumbre, S.L."\n\nTracking number,Order number,Delivery status,Details,Last update\n01,R#-1001,In transit,"Hub\nMadrid",2026/11/18 09:30\n02,R#-1002,Delivered,"Signed by ""A""",2026/11/19 17:05\nTotal parcels: 2,,,,\n',
}

/** Ambiguous exports with a user's answers. */
export const ASKING: Readonly<Record<string, { content: string; answers: readonly string[] }>> = {
  'a day that may be a month': {
    content:
      'Tracking number,Reference,Status,Date,Time\n01,R#-1001,In transit,11/12/2026,09:30\n02,R#-1002,Delivered,12/12/2026,17:05',
    answers: typed`--date-format 'MM/DD/YYYY HH:mm'`,
  },
  'a word that may be an end or not': {
    content:
      'Tracking number,Reference,Status,Date\n01,R#-1001,Exception,2026-11-18 09:30\n02,R#-1002,Delivered,2026-11-19 17:05',
    answers: typed`--status Exception=SHIPPING_IN_PROGRESS`,
  },
  'codes for statuses': {
    content:
      'Parcel number;Customer reference;Status;Date\n01;R#-1001;OUTDEL;18.11.2026 09:30\n02;R#-1002;DELIVD;19.11.2026 17:05',
    answers: typed`--status OUTDEL=SHIPPING_IN_PROGRESS --status DELIVD=SHIPPING_COMPLETED`,
  },
  'returns in a column of no known name, as numbers': {
    content:
      'Parcel number;Free text;Status;Date\n01;1001;In transit;18.11.2026 09:30\n02;1002;Delivered;19.11.2026 17:05',
    answers: typed`--map 'shipmentId=Free text'`,
  },
}
