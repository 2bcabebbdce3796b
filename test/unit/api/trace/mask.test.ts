import { expect, it } from 'vitest'
import { maskBody, maskEntry, maskText, maskUrl } from '../../../../src/lib/api/trace/mask.ts'

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.abc-_123'
const mask = (value: unknown) => JSON.parse(maskBody(JSON.stringify(value)))

it('maskBody replaces personal data by key, at any depth, and keeps the rest', () => {
  const bodyWith = (personal: (value: unknown) => unknown) => ({
    returns: [
      {
        id: 'ret_1',
        name: 'R#-1001',
        status: 'PENDING',
        customerIban: personal('bad iban'),
        accountHolderName: personal('Ana'),
        customer: {
          fullName: personal('Ana García'),
          email: personal('x'),
          phone: personal(600123456),
          address: {
            line1: personal('Calle 1'),
            city: personal('Vigo'),
            postalCode: personal('36201'),
            countryCode: 'ES',
            door: personal('B'),
            extra: [personal('x')],
          },
        },
        returnLineItems: [
          {
            sku: 'AB12-CDEF',
            quantity: 1,
            price: 10.5,
            returnReason: { code: 'W', additionalInfo: personal('I am ill') },
          },
        ],
      },
    ],
    originAddress: {
      firstName: personal('Ana'),
      lastName: personal('G'),
      regionCode: personal('GA'),
      postal_code: personal('36201'),
      countryCode: 'ES',
    },
    points: [{ latitude: personal(42.1), longitude: personal(-8.7), distance: 1.2, code: 'P1' }],
    address: personal('Calle 1'),
    line2: null,
    email: '',
    base64: personal('JVBERi0='),
  })
  expect(mask(bodyWith((value) => value))).toEqual(bodyWith(() => '***'))
})

it('maskBody keeps exact numbers, and is not misled by objects that look like one', () => {
  expect(maskBody('{"id":12345678901234567890}')).toBe('{"id":12345678901234567890}')
  expect(mask({ x: { isLosslessNumber: true, email: 'a@b.co' } })).toEqual({
    x: { isLosslessNumber: true, email: '***' },
  })
})

it('maskBody masks JSON that was cut', () => {
  const cut =
    '{"name":"R#-1","customer":{"fullName":"Ana \\" G","phone":600123456,"note":"a@b.co","email":"ana@exa'
  expect(maskBody(cut)).toBe(
    '{"name":"R#-1","customer":{"fullName":"***","phone":"***","note":"***","email":"***"',
  )
})

it('maskBody takes what is not JSON as text', () => {
  expect(maskBody('<p>write to ana@example.com</p>')).toBe('<p>write to ***</p>')
  expect(maskBody('')).toBe('')
})

it.each([
  [`token ${JWT} leaked`, 'token *** leaked'],
  ['Authorization: Bearer abc.def', 'Authorization: Bearer ***'],
  ['Bearer error="invalid_token"', 'Bearer error="invalid_token"'],
  ['<ana.garcia+x@mail.example.com>', '<***>'],
  ['IBAN ES9121000418450200051332.', 'IBAN ***.'],
  ['IBAN ES91 2100 0418 4502 0005 1332 for Ana', 'IBAN *** for Ana'],
  ['order XX12 3456 7890 ES91 2100 0418 4502 0005 1332 for Ana', 'order XX12 3456 7890 *** for Ana'],
  ['XX12345678901 ES9121000418450200051332 DE89370400440532013000', 'XX12345678901 *** ***'],
  ['paid with 4111 1111 1111 1111 12 days ago', 'paid with *** 12 days ago'],
  ['5500005555555559, 3782-822463-10005 and 30569309025904', '***, *** and ***'],
  ['parcel 4111111111111112', 'parcel 4111111111111112'],
  ['call +34 600 123 456 now', 'call *** now'],
  ['at 2026-03-01 10:00:00+11:00', 'at 2026-03-01 10:00:00+11:00'],
  ['see https://cdn.example/label.pdf?sig=abc&x=1 or', 'see https://cdn.example/label.pdf?*** or'],
  ['at https://cdn.example/l/Zm9vYmFyYmF6cXV4MTIz_456-abcd.pdf', 'at https://cdn.example/l/***.pdf'],
  [
    'at https://api.example/returns/3f2b8c1e-1111-4c2d-9a00-aabbccddeeff/refunds',
    'at https://api.example/returns/3f2b8c1e-1111-4c2d-9a00-aabbccddeeff/refunds',
  ],
  ['at https://track.example/JJD014600003123456789/', 'at https://track.example/JJD014600003123456789/'],
  [`long ${'https://cdn.example/'.padEnd(3000, 'x')}?sig=abc`, /\?\*\*\*$/],
  [`x_${JWT}`, 'x_***'],
  [`${'eyJ-'.repeat(3)}${JWT}`, '***'],
  [`${'a'.repeat(100)}@example.com.`, '***.'],
  ['ftp at https://user:pw@host/x', 'ftp at https://***@host/x'],
  [`data ${'QUJD'.repeat(40)}==`, 'data ***'],
  ['SKU AB12-CDEF R#-1001 P#R#ACME1001 0012345678', 'SKU AB12-CDEF R#-1001 P#R#ACME1001 0012345678'],
  ['ab12cdef-3456-7890-abcd-ef1234567890', 'ab12cdef-3456-7890-abcd-ef1234567890'],
])('maskText masks %s', (text, masked) => {
  expect(maskText(text)).toEqual(typeof masked === 'string' ? masked : expect.stringMatching(masked))
})

it('maskUrl hides the whole query of an unknown address', () => {
  const url = new URL('https://u:p@h.example/label?X-Amz-Signature=abc&Key-Pair-Id=k#x')
  expect(maskUrl(url, { hidesQuery: true })).toBe('https://h.example/label?***')
})

it('maskUrl and maskEntry mask by name', () => {
  const url = new URL(
    'https://u:p@h.example/v1/returns?name=R%23-1&email=a%40b.co&created_from=2026-01-01T10:00:00&postal_code=1#x',
  )
  expect(maskUrl(url)).toBe(
    'https://h.example/v1/returns?name=R%23-1&email=***&created_from=2026-01-01T10:00:00&postal_code=***',
  )
  expect(maskEntry('Authorization', 'Bearer short')).toBe('Bearer ***')
  for (const name of ['X-Amz-Security-Token', 'X-Amz-Credential', 'X-Amz-Signature', 'Authentication-Info']) {
    expect(maskEntry(name, 'abc')).toBe('***')
  }
  expect(
    maskUrl(new URL('https://h.example/v1?X-Amz-Security-Token=abc&x-amz-signature=d&X-Amz-Date=1')),
  ).toBe('https://h.example/v1?X-Amz-Security-Token=***&x-amz-signature=***&X-Amz-Date=1')
  expect(maskEntry('proxy-authentication-info', 'rspauth="a"')).toBe('***')
  expect(maskEntry('set-cookie', 'a=b')).toBe('***')
  expect(maskEntry('location', 'https://x.example/?token=abc')).toBe('https://x.example/?***')
  expect(maskEntry('Location', '/label?X-Amz-Signature=abc')).toBe('/label?***')
  expect(maskEntry('content-type', 'application/json')).toBe('application/json')
})
