/** Friday, 20 November 2026, 13:00 in Madrid. */
export const NOW = Date.parse('2026-11-20T12:00:00Z')

const weekdays = (...spans: [string, string][]) =>
  [1, 2, 3, 4, 5].flatMap((day) => spans.map(([opens, closes]) => ({ day, opens, closes })))

const address = (line1: string) => ({ line1, city: 'Madrid', postalCode: '28013', countryCode: 'ES' })

/** Answers of a service, written by hand from spec §2.8 and the decisions about points. */
export const SAMPLE = [
  {
    carrierCode: 'SBX',
    carrierExternalCode: 'SBX-STANDARD',
    pudoPoints: [
      {
        id: 'P-1',
        name: 'Estanco Sol',
        locationType: 'SERVICE_POINT',
        address: address('Puerta del Sol 3'),
        latitude: 40.4169,
        longitude: -3.7033,
        distance: 0.04,
        openingHours: [
          ...weekdays(['09:00', '14:00'], ['16:00', '20:30']),
          { day: 6, opens: '09:00', closes: '14:00' },
        ],
        timeZone: 'Europe/Madrid',
        services: ['DROP_OFF', 'PICK_UP'],
        temporarilyClosed: false,
      },
      {
        id: 'P-2',
        name: 'Locker Atocha',
        locationType: 'LOCKER',
        address: address('Plaza del Emperador Carlos V'),
        latitude: '40.4065',
        longitude: '-3.6895',
        distance: '1.67',
        openingHours: [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, opens: '00:00', closes: '24:00' })),
        timeZone: 'Europe/Madrid',
      },
      {
        id: 'P-3',
        name: 'Bar Nocturno',
        locationType: 'SERVICE_POINT',
        address: address('Calle de la Cruz 7'),
        latitude: 40.4155,
        longitude: -3.7013,
        distance: 0.26,
        openingHours: [1, 2, 3, 4, 5, 6].map((day) => ({ day, opens: '20:00', closes: '03:00' })),
        timeZone: 'Europe/Madrid',
      },
    ],
  },
  {
    carrierCode: 'MRW',
    carrierExternalCode: 'MRW-DROP',
    pudoPoints: [
      {
        id: 'M-9',
        name: 'Correos Centro',
        locationType: 'POST_OFFICE',
        address: address('Calle de la Montera 20'),
        // The client computes a missing distance.
        latitude: 40.4185,
        longitude: -3.7018,
        openingHours: weekdays(['08:30', '20:30']),
        timeZone: 'Europe/Madrid',
        temporarilyClosed: true,
      },
      { id: 'M-10', name: 'Sin hora', latitude: 40.43, longitude: -3.69 },
    ],
  },
]
