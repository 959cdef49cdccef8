import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { linkSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { inDataDir } from '../../config/data-dir.ts'

/** Who holds a folder. `born` tells the process from a later one with the same number. */
interface Holder {
  readonly pid: number
  readonly born: string
  readonly host: string
  readonly since: string
}

/** The holder's sign of life, for processes of other hosts and containers, which can't be asked whether it runs. */
const HEARTBEAT_MS = 2_000
const STALE_MS = 15_000
/** A takeover lasts microseconds; one this old was left behind by a crash. */
const TAKEOVER_MS = 10_000

/**
 * Takes `folder` for this process, or throws an error that names the process which has it. The lock is a file that appears whole or not
 * at all; one whose process no longer runs is taken over. Returns the release.
 */
export function lockFolder(folder: string): () => void {
  return inDataDir(folder, () => acquire(folder))
}

function acquire(folder: string): () => void {
  const file = join(folder, 'lock')
  const mine = JSON.stringify(holderHere())
  const draft = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`
  writeFileSync(draft, mine, { flag: 'wx' })
  try {
    while (!appear(draft, file)) {
      const text = readIfThere(file)
      if (text === undefined) continue
      if (isHeld(text, file)) throw new Error(complaint(folder, text))
      reclaim(file, text, draft)
    }
  } finally {
    rmSync(draft, { force: true })
  }
  const beat = setInterval(() => touch(file), HEARTBEAT_MS).unref()
  return () => {
    clearInterval(beat)
    if (readIfThere(file) === mine) rmSync(file, { force: true })
  }
}

function holderHere(): Holder {
  return { pid: process.pid, born: birthOf(process.pid) ?? '', host: hostname(), since: new Date().toISOString() }
}

/** Removes a stale lock. Only the one process that claims this very content may, so a fresh lock is never taken for the stale one. */
function reclaim(file: string, stale: string, draft: string): void {
  const claim = `${file}.over.${createHash('sha256').update(stale).digest('hex').slice(0, 16)}`
  if (!appear(draft, claim)) {
    if (ageOf(claim) > TAKEOVER_MS) rmSync(claim, { force: true })
    return
  }
  if (readIfThere(file) === stale) rmSync(file, { force: true })
  rmSync(claim, { force: true })
}

function isHeld(text: string, file: string): boolean {
  const holder = parse(text)
  if (!holder) return false
  if (holder.host !== hostname()) return ageOf(file) < STALE_MS
  const born = birthOf(holder.pid)
  return born !== undefined && (born === '' || holder.born === '' || born === holder.born)
}

/** When the process started, in whatever form the system tells; '' when it runs and that is all one can know; undefined when it doesn't. */
function birthOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined
  }
  try {
    // Linux: the 22nd field, counted after the command's name, which may hold spaces and parentheses.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    try {
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
    } catch {
      return ''
    }
  }
}

function complaint(folder: string, text: string): string {
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

/** Gives the finished draft a second name; false when the name is taken. */
function appear(draft: string, name: string): boolean {
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

function ageOf(file: string): number {
  return Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY)
}

function touch(file: string): void {
  const now = new Date()
  try {
    utimesSync(file, now, now)
  } catch {
    // The folder went away under us; the database will say so.
  }
}
