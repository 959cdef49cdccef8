/**
 * Folder lock: keeps a data folder to one process, across hosts and containers that share the disk.
 *
 * The lock is a file that names its holder and appears whole or not at all. A process takes over the lock of one that
 * no longer runs.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { linkSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { inDataDir } from '../../config/data-dir.ts'

/** The process that holds a folder. `born`, its start time, distinguishes it from a later process with the same id. */
interface Holder {
  readonly pid: number
  readonly born: string
  readonly host: string
  readonly since: string
}

/** Milliseconds between the holder's heartbeats, by which other hosts and containers see that it runs. */
const HEARTBEAT_MS = 2_000
/** Milliseconds without a heartbeat after which a holder on another host counts as gone. */
const STALE_MS = 15_000
/** Milliseconds for which a lock is watched when its time lies ahead. */
const WATCH_MS = 2.5 * HEARTBEAT_MS
/** Milliseconds after which a takeover, which lasts microseconds, counts as crashed. */
const TAKEOVER_MS = 10_000

/**
 * Locks `folder` for this process and returns a function that unlocks it, which also runs when the process exits.
 * Throws an error that names the process which holds the lock.
 */
export function lockFolder(folder: string): () => void {
  return inDataDir(folder, () => acquire(folder))
}

function acquire(folder: string): () => void {
  const file = join(folder, 'lock')
  const ownText = JSON.stringify(thisHolder())
  const draft = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`
  writeFileSync(draft, ownText, { flag: 'wx' })
  try {
    while (!tryLink(draft, file)) {
      const text = readIfThere(file)
      if (text === undefined) continue
      if (isHeld(text, file)) throw new Error(inUseMessage(folder, text))
      reclaim(file, text, draft)
    }
  } finally {
    rmSync(draft, { force: true })
  }
  const heartbeat = setInterval(() => touch(file), HEARTBEAT_MS).unref()
  const unlock = () => {
    clearInterval(heartbeat)
    process.off('exit', unlock)
    if (readIfThere(file) === ownText) rmSync(file, { force: true })
  }
  process.on('exit', unlock)
  return unlock
}

function thisHolder(): Holder {
  return { pid: process.pid, born: startTimeOf(process.pid) ?? '', host: hostname(), since: new Date().toISOString() }
}

/**
 * Removes a stale lock. Only the process that claims its exact content may do so, so that a new lock is never removed
 * as stale.
 */
function reclaim(file: string, stale: string, draft: string): void {
  const claim = `${file}.over.${createHash('sha256').update(stale).digest('hex').slice(0, 16)}`
  if (!tryLink(draft, claim)) {
    const at = touchedAt(claim)
    if (at !== undefined && Math.abs(Date.now() - at) > TAKEOVER_MS) rmSync(claim, { force: true })
    return
  }
  if (readIfThere(file) === stale) rmSync(file, { force: true })
  rmSync(claim, { force: true })
}

function isHeld(text: string, file: string): boolean {
  const holder = parse(text)
  if (!holder) return false
  if (holder.host !== hostname()) return hasHeartbeat(file)
  const born = startTimeOf(holder.pid)
  return born !== undefined && (born === '' || holder.born === '' || born === holder.born)
}

/**
 * Whether the holder of a lock touches it. A time in the future counts as old unless it moves while it is watched,
 * which takes seconds. Then a clock was set back, or the clock of the holder's host is fast.
 */
function hasHeartbeat(file: string): boolean {
  const at = touchedAt(file)
  if (at === undefined || at <= Date.now()) return at !== undefined && Date.now() - at < STALE_MS
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WATCH_MS)
  const later = touchedAt(file)
  return later !== undefined && later !== at
}

/**
 * The start time of a process in the system's own form: '' when it runs but the time is unknown, undefined when it does
 * not run. A zombie, which has ended but which its parent has not reaped, does not run.
 */
function startTimeOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined
  }
  try {
    // Linux: the 3rd and the 22nd field, counted from the end of the command's name, which may contain spaces and
    // parentheses.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return isGone(fields[0]) ? undefined : (fields[19] ?? '')
  } catch {
    try {
      const columns = ['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)]
      const [state, ...born] = execFileSync('ps', columns, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
        .trim()
        .split(' ')
      return isGone(state) ? undefined : born.join(' ').trim()
    } catch {
      return ''
    }
  }
}

/** Whether a process of this state is a zombie or dead. */
function isGone(state: string | undefined): boolean {
  return state?.startsWith('Z') === true || state?.startsWith('X') === true
}

function inUseMessage(folder: string, text: string): string {
  const { pid, since, host } = parse(text) as Holder
  const where = host === hostname() ? '' : ` on ${host}`
  return `${folder} is in use by process ${pid}${where} since ${since}. Stop that process first, or set DATA_DIR to another folder.`
}

function parse(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Holder
    return Number.isInteger(holder.pid) ? holder : undefined
  } catch {
    return undefined
  }
}

/** Links the finished draft under a second name; false when the name exists. */
function tryLink(draft: string, name: string): boolean {
  try {
    linkSync(draft, name)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Epoch milliseconds, cut off as those of the clock are: a file of this millisecond does not lie ahead. */
function touchedAt(file: string): number | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  return found && Math.floor(found.mtimeMs)
}

function touch(file: string): void {
  const now = new Date()
  try {
    utimesSync(file, now, now)
  } catch {
    // The folder was removed; the next statement of the database fails and reports it.
  }
}
