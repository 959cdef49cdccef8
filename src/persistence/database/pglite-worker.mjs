// PGlite worker: the embedded database in a thread of its own, so that a running statement does not block the server.
// It receives bytes of PostgreSQL's wire protocol and sends the bytes of the response, in order. Plain JavaScript,
// since a worker starts without loaders.
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'

// The exception by which PostgreSQL returns to its main loop after an error that it reports to the client.
const LONG_JUMP = 100

/**
 * A checkpoint when the write-ahead log is long. PostgreSQL's own checkpointer is a process, which PGlite lacks: the
 * log would grow while the program runs, and a recovery would read all of it.
 */
const CHECKPOINT_CHECK_MS = 2_000
const CHECKPOINT_LONG_LOG = simpleQuery(`DO $$ BEGIN
  IF pg_wal_lsn_diff(pg_current_wal_insert_lsn(), (pg_control_checkpoint()).redo_lsn) > 128 * 1024 * 1024 THEN EXECUTE 'CHECKPOINT'; END IF;
END $$`)

/**
 * PostgreSQL's autovacuum, a process that PGlite lacks too, by its default settings: once a minute it vacuums each
 * table that has changed enough. Without it the space of deleted rows is never used again, and the planner takes a
 * table that was emptied for empty, however it grows. 100,000 rows take some 0.3 s.
 */
const VACUUM_MS = workerData.vacuumMs ?? 60_000
const VACUUMS_DUE = simpleQuery(`
  SELECT format('VACUUM (ANALYZE) %I.%I', schemaname, s.relname) FROM pg_stat_user_tables s
  JOIN pg_class c ON c.oid = relid CROSS JOIN greatest(reltuples, 0) AS rows
  WHERE (n_dead_tup > 50 + rows / 5 OR n_ins_since_vacuum > 1000 + rows / 5 OR n_mod_since_analyze > 50 + rows / 10)
    AND reloptions @> '{autovacuum_enabled=false}' IS NOT TRUE`)

// PostgreSQL's own page cache, beside that of the operating system; its default is 128 MB.
const SHARED_BUFFERS = '32MB'

const db = await PGlite.create({
  dataDir: workerData.folder,
  extensions: { pg_trgm, unaccent },
  startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${SHARED_BUFFERS}`],
})

// Any other exception (PANIC, FATAL, an aborted module) leaves the module unusable, and PGlite would call it forever.
// Ending the thread fails the waiting statement; the next connection starts a new thread, which recovers from the
// write-ahead log.
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

// The message that has a row, and the one that ends each response with its state.
const ROW = 'D'.charCodeAt(0)
const READY = 'Z'.charCodeAt(0)
const OUTSIDE_TRANSACTIONS = 'I'.charCodeAt(0)
let isIdle = false

parentPort.on('message', async (message) => {
  if (message === 'stop') {
    isIdle = false
    await db.close()
    process.exit(0)
  }
  const response = await exchange(message)
  isIdle = response.at(-6) === READY && response.at(-1) === OUTSIDE_TRANSACTIONS
  parentPort.postMessage(response, [response.buffer])
  vacuum()
})
setInterval(() => {
  if (!isIdle) return
  exchange(CHECKPOINT_LONG_LOG)
  vacuum()
}, CHECKPOINT_CHECK_MS)

let isVacuumDue = false
let vacuums = []
setInterval(() => {
  isVacuumDue = true
  vacuum()
}, VACUUM_MS)

/** Vacuums the next table; requests go on between two. */
async function vacuum() {
  if (!isIdle) return
  if (isVacuumDue) vacuums = [...textsOf(await exchange(VACUUMS_DUE))]
  isVacuumDue = false
  const next = vacuums.shift()
  if (next) await exchange(simpleQuery(next))
}

/** Sends a message and collects the streamed response; PGlite's other calls parse every response and retain it. */
async function exchange(message) {
  const pieces = []
  let length = 0
  const onRawData = (bytes) => {
    // Copied, since it is a view of memory that the database reuses.
    pieces.push(bytes.slice())
    length += bytes.length
  }
  await db.execProtocolRawStream(message, { onRawData, syncToFs: false })
  const response = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    response.set(piece, at)
    at += piece.length
  }
  return response
}

parentPort.postMessage('ready')

/** The texts of a response whose rows have one text each. */
function* textsOf(response) {
  const view = new DataView(response.buffer)
  for (let at = 0; at < response.length; at += 1 + view.getUint32(at + 1)) {
    // Its head is the type, the length, the number of columns and the length of the first.
    if (response[at] === ROW) yield Buffer.from(response.buffer, at + 11, view.getInt32(at + 7)).toString()
  }
}

function simpleQuery(text) {
  const message = new Uint8Array(Buffer.from(`Q0000${text}\0`))
  new DataView(message.buffer).setUint32(1, message.length - 1)
  return message
}
