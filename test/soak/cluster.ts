/** A PostgreSQL cluster of a test's own, which it may stop, kill and fill up; never the one that others use. */
import { execFile } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const versions = '/usr/lib/postgresql'
/** PostgreSQL refuses to run as root, so as root it runs as the user that it brings along. */
const isRoot = process.getuid?.() === 0

/** Where the programs are; null where there are none, or nobody who may run them. */
export function clusterPrograms(): string | null {
  const newest = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a))[0] : undefined
  if (newest === undefined || !existsSync(join(versions, newest, 'bin/initdb'))) return null
  return isRoot && userIds() === null ? null : join(versions, newest, 'bin')
}

function userIds(): { uid: number; gid: number } | null {
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? []
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : null
}

export interface Cluster {
  readonly url: string
  readonly folder: string
  start(): Promise<void>
  /** Starts it unless it still runs: without room for its log PostgreSQL ends itself. */
  startAgain(): Promise<void>
  /** SIGKILL to the server and all that it started. */
  kill(): void
  /** Stops the processes without ending them: connections stay open and nothing answers. */
  freeze(): void
  thaw(): void
  remove(): void
}

/** Makes and starts a cluster in `parent`. Its log lies beside its data. */
export async function makeCluster(programs: string, settings: readonly string[] = [], parent?: string): Promise<Cluster> {
  const folder = parent ?? mkdtempSync(join(tmpdir(), 'commerce-graph-cluster-'))
  const ids = isRoot ? userIds() : null
  if (ids) chownSync(folder, ids.uid, ids.gid)
  chmodSync(folder, 0o700)
  const data = join(folder, 'data')
  const run = async (program: string, ...args: string[]): Promise<void> => {
    await promisify(execFile)(join(programs, program), args, { cwd: folder, timeout: 60_000, ...(ids ?? {}) })
  }
  await run('initdb', '-D', data, '-A', 'trust', '-U', 'postgres', '-N', '--no-instructions')
  const port = await freePort()
  const options = [
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    `port=${port}`,
    '-c',
    `unix_socket_directories=${folder}`,
    ...settings.flatMap((one) => ['-c', one]),
  ]
  const start = () => run('pg_ctl', '-D', data, '-l', join(folder, 'log'), '-o', options.join(' '), '-w', '-t', '60', 'start')
  await start()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    folder,
    start,
    startAgain: () => run('pg_ctl', '-D', data, 'status').catch(start),
    kill: () => signal(data, 'SIGKILL'),
    freeze: () => signal(data, 'SIGSTOP'),
    thaw: () => signal(data, 'SIGCONT'),
    remove() {
      signal(data, 'SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** To the postmaster that the folder names, then to what it started: never to any other. */
function signal(data: string, name: NodeJS.Signals): void {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) return
  const postmaster = Number(readFileSync(file, 'utf8').split('\n')[0])
  const started = childrenOf(postmaster)
  for (const pid of [postmaster, ...started]) {
    try {
      process.kill(pid, name)
    } catch {
      // It ended meanwhile.
    }
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return Number(/^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]) === parent
      } catch {
        return false
      }
    })
    .map(Number)
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
