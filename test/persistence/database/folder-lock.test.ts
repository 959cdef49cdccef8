import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { projectRoot } from '../../../src/config/project-root.ts'
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
  it('the lock of the data folder is acquired once, names its holder, and can be acquired again after its release', () => {
    const release = lockFolder(folder)
    expect(() => lockFolder(folder)).toThrow(
      new RegExp(`${folder} is in use by process ${process.pid} since \\d{4}-\\d\\d-\\d\\dT.*DATA_DIR`),
    )
    release()
    expect(readdirSync(folder)).toEqual([])
    lockFolder(folder)()
  })

  it('the lock of the data folder listens for the exit of the process until its release', () => {
    const before = process.listenerCount('exit')
    const release = lockFolder(folder)
    expect(process.listenerCount('exit')).toBe(before + 1)
    release()
    expect(process.listenerCount('exit')).toBe(before)
  })

  it('the lock of the data folder creates the folder when it is missing', () => {
    lockFolder(join(folder, 'a/b'))()
    expect(existsSync(join(folder, 'a/b'))).toBe(true)
  })

  it('the lock of the data folder names another process while that runs, and is taken over when it was killed', async () => {
    const child = await otherProcess()
    writeFileSync(lockFile(), holder({ pid: child.pid }))
    expect(() => lockFolder(folder)).toThrow(`process ${child.pid} since 2024-01-01T00:00:00.000Z`)
    child.kill('SIGKILL')
    await once(child, 'exit')
    lockFolder(folder)()
    expect(readdirSync(folder)).toEqual([])
  })

  it('the lock of the data folder is taken over when the process id of its holder belongs to a later process', () => {
    writeFileSync(lockFile(), holder({ born: 'another time' }))
    lockFolder(folder)()
  })

  it('the lock of another host is respected as long as it has heartbeats', () => {
    writeFileSync(lockFile(), holder({ host: 'elsewhere', pid: 1 }))
    expect(() => lockFolder(folder)).toThrow('process 1 on elsewhere since')
    const before = new Date(Date.now() - 16_000)
    utimesSync(lockFile(), before, before)
    lockFolder(folder)()
  })

  it('the lock of another host whose time lies ahead is taken over, as an old one is', () => {
    for (const ahead of [60_000, 10 ** 10]) {
      writeFileSync(lockFile(), holder({ host: 'elsewhere', pid: 1 }))
      const time = new Date(Date.now() + ahead)
      utimesSync(lockFile(), time, time)
      lockFolder(folder)()
    }
    expect(readdirSync(folder)).toEqual([])
  })

  it('the lock of another host is respected while it has heartbeats of a clock that is fast', async () => {
    writeFileSync(lockFile(), holder({ host: 'elsewhere', pid: 1 }))
    const beating = `setInterval(() => { const t = new Date(Date.now() + 60_000); require('node:fs').utimesSync(process.argv[1], t, t) }, 200)`
    const child = spawn(process.execPath, ['-e', `${beating}; console.log(1)`, lockFile()])
    await once(child.stdout, 'data')
    await expect.poll(() => statSync(lockFile()).mtimeMs > Date.now()).toBe(true)
    expect(() => lockFolder(folder)).toThrow('process 1 on elsewhere since')
    child.kill('SIGKILL')
    await once(child, 'exit')
    lockFolder(folder)()
  })

  it('a lock with an unfinished takeover whose time lies ahead is taken over', () => {
    const text = holder({ born: 'another time' })
    writeFileSync(lockFile(), text)
    const claim = `${lockFile()}.over.${createHash('sha256').update(text).digest('hex').slice(0, 16)}`
    writeFileSync(claim, '')
    const ahead = new Date(Date.now() + 3_600_000)
    utimesSync(claim, ahead, ahead)
    lockFolder(folder)()
    expect(readdirSync(folder)).toEqual([])
  })

  it.runIf(process.platform === 'linux')(
    'the lock of the data folder is taken over when its holder is a zombie [needs Linux]',
    async () => {
      // The shell becomes a program that never fetches what its children returned.
      const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 1000'])
      const pid = Number(String((await once(parent.stdout, 'data'))[0]))
      await expect.poll(() => /\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))).toBe(true)
      writeFileSync(lockFile(), holder({ pid }))
      lockFolder(folder)()
      parent.kill('SIGKILL')
    },
  )

  it('the lock of the data folder without /proc tells a process that runs, one that ended and one with the id of another by ps', async () => {
    const child = await otherProcess()
    const bornOf = (pid = 0) => execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    const lock = `
      import fs from 'node:fs'
      import { syncBuiltinESMExports } from 'node:module'
      const read = fs.readFileSync
      fs.readFileSync = (file, ...rest) => {
        if (String(file).startsWith('/proc/')) throw new Error('no /proc')
        return read(file, ...rest)
      }
      syncBuiltinESMExports()
      const { lockFolder } = await import('./src/persistence/database/folder-lock.ts')
      try { lockFolder(process.argv[1])(); console.log('taken') } catch (error) { console.log(error.message.includes('in use') ? 'held' : error) }`
    const outcome = () =>
      execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', lock, folder], {
        cwd: projectRoot,
        encoding: 'utf8',
      })
    writeFileSync(lockFile(), holder({ pid: child.pid, born: bornOf(child.pid) }))
    expect(outcome()).toBe('held\n')
    writeFileSync(lockFile(), holder({ pid: child.pid, born: 'Thu Jan  1 00:00:00 1970' }))
    expect(outcome()).toBe('taken\n')
    writeFileSync(lockFile(), holder({ pid: child.pid, born: bornOf(child.pid) }))
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(outcome()).toBe('taken\n')
  })

  it('a lock with unreadable content is taken over; a release never removes the lock of another process', () => {
    writeFileSync(lockFile(), 'half a l')
    const release = lockFolder(folder)
    const theirs = holder({ since: '2025-01-01T00:00:00.000Z' })
    writeFileSync(lockFile(), theirs)
    release()
    expect(readFileSync(lockFile(), 'utf8')).toBe(theirs)
  })
})
