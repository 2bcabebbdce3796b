// Share of got in a short command: the yardstick's request with got, bundled like rma. `node ten-lines-got.mjs URL`
import got from 'got'

const headers = { accept: 'application/json', authorization: `Bearer ${process.env.RMA_TOKEN}` }
got(process.argv[2], { headers })
  .json()
  .then(({ returns }) => {
    for (const { name, status, createdAt } of returns)
      process.stdout.write(`${name}  ${status}  ${createdAt}\n`)
  })
