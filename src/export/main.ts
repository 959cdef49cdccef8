/** Export command: `npm run export -- FILE` (export.import-restores-it).
 *
 *  It exits with 0 when the file is complete and with 2 when it could not run. */
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { loadConfig } from '../config/config.ts'
import { createLogger } from '../lib/log.ts'
import { migrate } from '../persistence/database/migrate.ts'
import { openDatabase } from '../persistence/database/open-database.ts'
import { describeStartupError } from '../server/startup-error.ts'
import { readArguments, usage } from './arguments.ts'
import { exportText } from './export.ts'

/** Only the owner may read the file: it has prices and accounts that shoppers never see. */
const FILE_MODE = 0o600

async function run(file: string | null): Promise<void> {
  const database = await openDatabase(loadConfig(process.env), createLogger('silent'))
  let objects = 0
  try {
    await migrate(database.pool)
    const text = exportText(database, (count) => {
      objects = count
    })
    if (file === null) await write(text, process.stdout)
    else await writeFile(text, file)
  } finally {
    await database.close()
  }
  console.error(`${objects} objects`)
}

/**
 * Writes to a temporary file that is renamed to `file` when it is complete, so that nobody uses half an export
 * (export.file-is-whole-and-private).
 */
async function writeFile(text: AsyncIterable<string>, file: string): Promise<void> {
  const draft = `${file}.${process.pid}.part`
  try {
    await write(text, createWriteStream(draft, { mode: FILE_MODE, flags: 'wx' }), file.endsWith('.gz'))
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function write(text: AsyncIterable<string>, to: Writable, compressed = false): Promise<void> {
  const from = Readable.from(text)
  if (compressed) await pipeline(from, createGzip(), to)
  else await pipeline(from, to)
}

const args = readArguments(process.argv.slice(2))
if (typeof args === 'string') {
  console.error(`${args}\n\n${usage}`)
  process.exitCode = 2
} else if (args.help) console.log(usage)
else {
  try {
    await run(args.file)
  } catch (error) {
    const isClosed = (error as NodeJS.ErrnoException).code === 'EPIPE'
    console.error(isClosed ? 'The program that reads the export has ended before it was complete' : describeStartupError(error))
    process.exitCode = 2
  }
}
