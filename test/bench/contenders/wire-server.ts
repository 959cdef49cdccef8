/** The physical limit here: node:http answering bytes of one page from memory. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const body = readFileSync(process.env.BODY_FILE ?? '')

const server = createServer((req, res) => {
  req.resume()
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body)
})
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())))
