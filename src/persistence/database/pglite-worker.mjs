// The embedded database, alone in its thread: bytes of PostgreSQL's wire protocol come in, the bytes of the answer go out, in order.
// A running statement blocks this thread and nothing else. Plain JavaScript, since a worker starts without any loader.
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'

// The one exception by which PostgreSQL returns to its main loop after an error that a client is told of.
const LONG_JUMP = 100

/**
 * Ends a log that has become long. PostgreSQL leaves that to a process of its own, which does not exist here: the log would grow for as long
 * as the program runs, and after a crash be read from its start.
 */
const SWEEP_MS = 2_000
const SHORTEN_LOG = simpleQuery(`DO $$ BEGIN
  IF pg_wal_lsn_diff(pg_current_wal_insert_lsn(), (pg_control_checkpoint()).redo_lsn) > 128 * 1024 * 1024 THEN EXECUTE 'CHECKPOINT'; END IF;
END $$`)

// Pages that PostgreSQL keeps beside the operating system, which keeps them too: 128 MB by default.
const SHARED_BUFFERS = '32MB'

const db = await PGlite.create({
  dataDir: workerData.folder,
  startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${SHARED_BUFFERS}`],
})

// Any other exception (PANIC, FATAL, an aborted module) leaves the module unusable, and PGlite would call it for ever. Ending the thread
// turns that into an error for the waiting client; the next connection starts a fresh thread, which recovers from the write-ahead log.
const module = db.Module
const mainLoop = module._PostgresMainLoopOnce
module._PostgresMainLoopOnce = () => {
  try {
    mainLoop()
  } catch (error) {
    if (error?.status !== LONG_JUMP) process.exit(1)
    throw error
  }
}

// Of the message that ends each answer.
const READY = 'Z'.charCodeAt(0)
const OUTSIDE_TRANSACTIONS = 'I'.charCodeAt(0)
let isIdle = false

parentPort.on('message', async (message) => {
  if (message === 'stop') {
    isIdle = false
    await db.close()
    process.exit(0)
  }
  const answer = await exchange(message)
  isIdle = answer.at(-6) === READY && answer.at(-1) === OUTSIDE_TRANSACTIONS
  parentPort.postMessage(answer, [answer.buffer])
})
setInterval(() => isIdle && exchange(SHORTEN_LOG), SWEEP_MS)

/** Streamed, since PGlite's calls that answer whole also parse every answer and keep all that they ever parsed. */
async function exchange(message) {
  const pieces = []
  let length = 0
  const onRawData = (bytes) => {
    // A view of the database's memory, which it goes on using.
    pieces.push(bytes.slice())
    length += bytes.length
  }
  await db.execProtocolRawStream(message, { onRawData, syncToFs: false })
  const answer = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    answer.set(piece, at)
    at += piece.length
  }
  return answer
}

parentPort.postMessage('ready')

function simpleQuery(text) {
  const message = new Uint8Array(Buffer.from(`Q0000${text}\0`))
  new DataView(message.buffer).setUint32(1, message.length - 1)
  return message
}
