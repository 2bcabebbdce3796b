// Yardstick of the sandbox: a `node:http` server that parses and accepts tracking updates. Every list gets the same
// page. `node bare-sandbox.mjs FILE` prints its port.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const page = readFileSync(process.argv[2])

function send(response, body) {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

const server = createServer((request, response) => {
  if (request.method === 'GET') return send(response, page)
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const { shipmentId, trackingStatus } = JSON.parse(Buffer.concat(chunks).toString())
    const description = `${trackingStatus} of ${shipmentId} registered`
    send(response, JSON.stringify({ statusCode: 'OK', description }))
  })
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
