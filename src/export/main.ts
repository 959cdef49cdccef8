/** Export command: `npm run export -- FILE` (export.import-restores-it).
 *
 *  It exits with 0 when the file is complete and with 2 when it could not run. */
import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import type { Writable } from 'node:stream'
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
  if (file !== null) await assertReplaceable(file)
  const database = await openDatabase(loadConfig(process.env), createLogger('silent'))
  let objects = 0
  try {
    await migrate(database.pool)
    const text = exportText(database, (count) => {
      objects = count
    })
    if (file === null) await write(text, process.stdout, 'Standard output')
    else await writeFile(text, file)
  } finally {
    await database.close()
  }
  console.error(`${objects} objects`)
}

/** Throws when something other than a file has the name: a folder, or a device such as /dev/null, which the file would replace. */
async function assertReplaceable(file: string): Promise<void> {
  const found = await stat(file).catch(() => null)
  if (found && !found.isFile()) throw new Error(`${file} is no file, and an export replaces only a file`)
}

/**
 * Writes to a temporary file that is renamed to `file` when it is complete, so that nobody uses half an export
 * (export.file-is-whole-and-private).
 */
async function writeFile(text: AsyncIterable<string>, file: string): Promise<void> {
  const draft = `${file}.${process.pid}.part`
  try {
    await write(text, createWriteStream(draft, { mode: FILE_MODE, flags: 'wx', flush: true }), file)
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Writes all of `text`; throws what reading it throws, and an error that names `name` when `to` fails. */
async function write(text: AsyncIterable<string>, to: Writable, name: string): Promise<void> {
  let unread: unknown
  async function* pieces(): AsyncGenerator<string> {
    try {
      yield* text
    } catch (error) {
      unread = error
      throw error
    }
  }
  try {
    if (name.endsWith('.gz')) await pipeline(pieces, createGzip(), to)
    else await pipeline(pieces, to)
  } catch (cause) {
    if (cause === unread) throw cause
    const isClosed = (cause as NodeJS.ErrnoException).code === 'EPIPE'
    if (isClosed) throw new Error('The program that reads the export has ended before it was complete')
    throw new Error(`${name} can't be written`, { cause })
  }
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
    console.error(describeStartupError(error))
    process.exitCode = 2
  }
}
