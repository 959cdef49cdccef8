import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { migrate } from '../../src/persistence/database/migrate.ts'
import { PgliteEngine } from '../../src/persistence/database/pglite-engine.ts'
import { ensureDatabaseFolder, makeTemplate } from '../../src/persistence/database/pglite-folder.ts'
import { PgliteStream } from '../../src/persistence/database/pglite-stream.ts'
import { embeddedPool } from '../../src/persistence/database/pool.ts'
import { socketOf } from './database-address.ts'

/**
 * Database server: a migrated embedded database for each vitest worker, behind a socket in a folder, started at its
 * first connection. The test files of a worker share its database, so that they don't wait for PGlite to start.
 */
export function serveEmbedded(workers: number): { folder: string; stop(): Promise<void> } {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-test-'))
  const served = Array.from({ length: workers }, (_, index) =>
    serve(join(folder, `data-${index + 1}`), socketOf(folder, index + 1)),
  )
  return {
    folder,
    async stop() {
      for (const { server, engine } of served) {
        server.close()
        await engine.stop()
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function serve(data: string, socketPath: string): { server: Server; engine: PgliteEngine } {
  const engine = new PgliteEngine(data)
  let ready: Promise<void> | undefined
  const server = createServer((socket) => {
    ready ??= start(engine, data)
    ready.then(
      () => {
        const stream = new PgliteStream(engine)
        stream.on('error', () => socket.destroy())
        socket.on('error', () => stream.destroy())
        socket.pipe(wholeMessages()).pipe(stream).pipe(socket)
      },
      (error: Error) => {
        console.error(error)
        socket.destroy()
      },
    )
  })
  server.listen(socketPath)
  return { server, engine }
}

let template: Promise<void> | undefined

async function start(engine: PgliteEngine, data: string): Promise<void> {
  template ??= makeTemplate()
  await template
  await ensureDatabaseFolder(data)
  await engine.start()
  const { pool } = embeddedPool(engine, console.error)
  await migrate(pool)
  await pool.end()
}

/**
 * Forwards only complete messages of the protocol. A socket delivers a large statement in pieces, and PGlite would
 * treat the end of a piece as the end of the connection.
 */
function wholeMessages(): Transform {
  let pieces: Buffer[] = []
  let length = 0
  // The startup packet has no type before its length.
  let typeLength = 0
  let wanted = 4
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      pieces.push(piece)
      length += piece.length
      if (length < wanted) return done()
      const bytes = Buffer.concat(pieces)
      let end = 0
      for (;;) {
        const head = end + typeLength + 4
        wanted = bytes.length < head ? head : end + typeLength + bytes.readUInt32BE(end + typeLength)
        if (bytes.length < wanted) break
        end = wanted
        typeLength = 1
      }
      pieces = [bytes.subarray(end)]
      length = bytes.length - end
      wanted -= end
      done(null, end > 0 ? bytes.subarray(0, end) : undefined)
    },
  })
}
