// What got alone takes of a short command: the yardstick's request with got, bundled as rma is. URL is the argument.
import got from 'got'

const headers = { accept: 'application/json', authorization: `Bearer ${process.env.RMA_TOKEN}` }
got(process.argv[2], { headers })
  .json()
  .then(({ returns }) => {
    for (const { name, status, createdAt } of returns)
      process.stdout.write(`${name}  ${status}  ${createdAt}\n`)
  })
