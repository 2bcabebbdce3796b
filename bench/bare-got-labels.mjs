// Shortest program that downloads labels with got, eight at a time: `node bare-got-labels.mjs BASE_URL IDS FOLDER`.
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import got from 'got'

const [baseUrl, idFile, folder] = process.argv.slice(2)
const ids = readFileSync(idFile, 'utf8').trim().split('\n').values()
const worker = async () => {
  for (const id of ids) {
    const [set] = await got(`${baseUrl}/shipping_labels?client_shipment_id=${id}`).json()
    await writeFile(`${folder}/${id}.pdf`, Buffer.from(set.shippingLabels[0].base64, 'base64'))
  }
}
await Promise.all(Array.from({ length: 8 }, worker))
