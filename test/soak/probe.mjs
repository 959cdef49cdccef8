/**
 * A thread that sends one request again and again, so that nothing that its starter does delays it (probe.ts). Any
 * message ends it: it answers with the milliseconds that each request took, and what went wrong first.
 */
import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const { url, method, headers, body, isFresh, pauseMs } = workerData
const agent = new Agent({ keepAlive: !isFresh })

/** The milliseconds until the whole response was there. */
const ask = () =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    const sent = request(url, { agent, method, headers }, async (response) => {
      let text = ''
      for await (const chunk of response.setEncoding('utf8')) text += chunk
      if (response.statusCode === 200 && !text.includes('"errors"')) resolve(performance.now() - began)
      else reject(new Error(`${url}: ${response.statusCode} ${text.slice(0, 200)}`))
    })
    sent.on('error', reject)
    sent.end(body)
  })

let isDone = false
parentPort.once('message', () => {
  isDone = true
})
const times = []
let failure = null
while (!isDone) {
  try {
    times.push(await ask())
  } catch (error) {
    failure ??= String(error)
  }
  await new Promise((resolve) => setTimeout(resolve, pauseMs))
}
agent.destroy()
parentPort.postMessage({ times, failure })
