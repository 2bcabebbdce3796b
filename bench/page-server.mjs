// A minimal service of stored pages: `node page-server.mjs FILE TOTAL`, FILE being `returns list -o json`. Each page
// repeats the same records under new ids. Prints its port.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [file = '', total = '0'] = process.argv.slice(2)
const { returns } = JSON.parse(readFileSync(file, 'utf8'))
/** Leading digits of an id that the page number replaces. */
const DIGITS = 6

function templateOf(size) {
  const totalPages = Math.ceil(Number(total) / size)
  const records = returns
    .slice(0, size)
    .map((record) => ({ ...record, id: `@@@@@@${record.id.slice(DIGITS)}` }))
  const pageInfo = { totalRecords: Number(total), totalPages }
  const bytes = Buffer.from(JSON.stringify({ returns: records, pageInfo }))
  const places = []
  for (let at = bytes.indexOf('@@@@@@'); at !== -1; at = bytes.indexOf('@@@@@@', at + DIGITS)) places.push(at)
  return { bytes, places }
}

const templates = new Map()
const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const size = Math.min(returns.length, Number(searchParams.get('limit') ?? 100))
  if (!templates.has(size)) templates.set(size, templateOf(size))
  const { bytes, places } = templates.get(size)
  const page = Buffer.from(bytes)
  const number = String(searchParams.get('page') ?? 1).padStart(DIGITS, '0')
  for (const place of places) page.write(number, place, 'latin1')
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': page.length })
  response.end(page)
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
