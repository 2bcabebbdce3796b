// Shortest program that sends tracking updates with got, 16 at a time: `node bare-got-trackings.mjs BASE_URL BODIES`.
import { readFileSync } from 'node:fs'
import got from 'got'

const [baseUrl, file] = process.argv.slice(2)
const bodies = readFileSync(file, 'utf8').trim().split('\n').values()
const headers = { authorization: `Bearer ${process.env.RMA_TOKEN}`, 'content-type': 'application/json' }
const worker = async () => {
  for (const body of bodies) {
    const { statusCode } = await got.post(`${baseUrl}/shipping_trackings`, { body, headers }).json()
    if (statusCode !== 'OK') throw new Error(statusCode)
  }
}
await Promise.all(Array.from({ length: 16 }, worker))
