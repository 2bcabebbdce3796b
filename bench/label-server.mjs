// A minimal service of labels, fast enough that only the client is measured. Prints its port.
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'

const LABEL_BYTES = 60_000
const content = Buffer.concat([Buffer.from('%PDF-1.4\n'), randomBytes(LABEL_BYTES - 9)]).toString('base64')

const server = createServer((request, response) => {
  const id = new URL(request.url ?? '/', 'http://localhost').searchParams.get('client_shipment_id')
  const label = {
    carrierTrackingCode: `T-${id}`,
    carrierTrackingUrl: '',
    isLabelFree: false,
    base64: content,
  }
  const set = { carrierCode: 'B', carrierExternalCode: 'B', carrierServiceCode: 'B', clientShipmentId: id }
  const body = JSON.stringify([{ ...set, shippingLabels: [label] }])
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
