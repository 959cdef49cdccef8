import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockFolder } from '../../../src/persistence/database/folder-lock.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const lockFile = () => join(folder, 'lock')
const holder = (changes: object) =>
  JSON.stringify({ pid: process.pid, born: '', host: hostname(), since: '2024-01-01T00:00:00.000Z', ...changes })

/** A process that lives until it is killed. */
async function otherProcess() {
  const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'])
  await once(child.stdout, 'data')
  return child
}

describe('the lock of the data folder', () => {
  it('is acquired once, names its holder, and can be acquired again after its release', () => {
    const release = lockFolder(folder)
    expect(() => lockFolder(folder)).toThrow(
      new RegExp(`${folder} is in use by process ${process.pid} since \\d{4}-\\d\\d-\\d\\dT.*DATA_DIR`),
    )
    release()
    expect(readdirSync(folder)).toEqual([])
    lockFolder(folder)()
  })

  it('listens for the exit of the process until its release', () => {
    const before = process.listenerCount('exit')
    const release = lockFolder(folder)
    expect(process.listenerCount('exit')).toBe(before + 1)
    release()
    expect(process.listenerCount('exit')).toBe(before)
  })

  it('creates the folder when it is missing', () => {
    lockFolder(join(folder, 'a/b'))()
    expect(existsSync(join(folder, 'a/b'))).toBe(true)
  })

  it('names another process while that runs, and is taken over when it was killed', async () => {
    const child = await otherProcess()
    writeFileSync(lockFile(), holder({ pid: child.pid }))
    expect(() => lockFolder(folder)).toThrow(`process ${child.pid} since 2024-01-01T00:00:00.000Z`)
    child.kill('SIGKILL')
    await once(child, 'exit')
    lockFolder(folder)()
    expect(readdirSync(folder)).toEqual([])
  })

  it('is taken over when the process id of its holder belongs to a later process', () => {
    writeFileSync(lockFile(), holder({ born: 'another time' }))
    lockFolder(folder)()
  })

  it('of another host is respected as long as it has heartbeats', () => {
    writeFileSync(lockFile(), holder({ host: 'elsewhere', pid: 1 }))
    expect(() => lockFolder(folder)).toThrow('process 1 on elsewhere since')
    const before = new Date(Date.now() - 16_000)
    utimesSync(lockFile(), before, before)
    lockFolder(folder)()
  })

  it('with unreadable content is taken over; a release never removes the lock of another process', () => {
    writeFileSync(lockFile(), 'half a l')
    const release = lockFolder(folder)
    const theirs = holder({ since: '2025-01-01T00:00:00.000Z' })
    writeFileSync(lockFile(), theirs)
    release()
    expect(readFileSync(lockFile(), 'utf8')).toBe(theirs)
  })
})
