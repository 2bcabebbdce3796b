// Yardstick of a long list: every page with fetch, JSON.parse and JSON.stringify. `node ten-lines-read.mjs BASE_URL`
const headers = { authorization: `Bearer ${process.env.RMA_TOKEN}` }
let totalPages = 1
for (let page = 1; page <= totalPages; page += 1) {
  const answer = await fetch(`${process.argv[2]}/returns?limit=500&page=${page}`, { headers })
  const body = JSON.parse(await answer.text())
  totalPages = body.pageInfo.totalPages
  for (const record of body.returns)
    if (!process.stdout.write(`${JSON.stringify(record)}\n`))
      await new Promise((resolve) => process.stdout.once('drain', resolve))
}
