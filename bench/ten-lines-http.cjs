// Yardstick of a short command: the same request with node:http, parsed and printed. `node ten-lines-http.cjs URL`
const http = require('node:http')

const headers = { accept: 'application/json', authorization: `Bearer ${process.env.RMA_TOKEN}` }
http.get(process.argv[2], { headers }, (answer) => {
  let text = ''
  answer.setEncoding('utf8').on('data', (chunk) => (text += chunk))
  answer.on('end', () => {
    for (const { name, status, createdAt } of JSON.parse(text).returns)
      process.stdout.write(`${name}  ${status}  ${createdAt}\n`)
  })
})
