/** Export command: `npm run export -- FILE` (export.import-restores-it).
 *
 *  It exits with 0 when the file is complete and with 2 when it could not run. */
import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { loadConfig } from '../config/config.ts'
import { isXlsx } from '../import/source.ts'
import { createLogger } from '../lib/log.ts'
import { migrate } from '../persistence/database/migrate.ts'
import { openDatabase } from '../persistence/database/open-database.ts'
import { runCommand } from '../server/run-command.ts'
import { type ExportArguments, readArguments, usage } from './arguments.ts'
import { type Piece, storeExport } from './store-export.ts'

/** Only the owner may read the file: it has prices, accounts, and who subscribes and pays. */
const FILE_MODE = 0o600

async function run({ file, ...what }: ExportArguments): Promise<boolean> {
  if (file !== null) await assertReplaceable(file)
  const database = await openDatabase(loadConfig(process.env), createLogger('silent'))
  try {
    await migrate(database.pool)
    const { pieces, told } = await storeExport(database, { ...what, asWorkbook: file !== null && isXlsx(file) })
    if (file === null) await write(pieces, process.stdout, 'Standard output')
    else await writeFile(pieces, file)
    console.error(told())
  } finally {
    await database.close()
  }
  return true
}

/**
 * Throws when the name is not that of a file but of a folder, or of a device such as /dev/null, which the file would
 * replace.
 */
async function assertReplaceable(file: string): Promise<void> {
  const found = await stat(file).catch(() => null)
  if (found && !found.isFile()) throw new Error(`${file} is no file, and an export replaces only a file`)
}

/**
 * Writes to a temporary file and renames it to `file` when it is complete, so that nobody uses half an export
 * (export.file-is-whole-and-private).
 */
async function writeFile(text: AsyncIterable<Piece>, file: string): Promise<void> {
  const draft = `${file}.${process.pid}.part`
  try {
    await write(text, createWriteStream(draft, { mode: FILE_MODE, flags: 'wx', flush: true }), file)
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Writes all of `text`. Throws what reading it throws, and an error that names `name` when `to` fails. */
async function write(text: AsyncIterable<Piece>, to: Writable, name: string): Promise<void> {
  let unread: unknown
  async function* pieces(): AsyncGenerator<Piece> {
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

await runCommand(readArguments(process.argv.slice(2)), usage, run)
