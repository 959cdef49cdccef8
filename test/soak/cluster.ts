/** Cluster: a PostgreSQL cluster for one test, which the test may stop, kill and fill up. */
import { execFile } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const versions = '/usr/lib/postgresql'
/** The user of PostgreSQL's processes: it refuses to run as root, so root starts it as its own user. */
const isRoot = process.getuid?.() === 0

/** The folder of PostgreSQL's programs; null when there is none, or no user may run them. */
export function clusterPrograms(): string | null {
  const newest = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a))[0] : undefined
  if (newest === undefined || !existsSync(join(versions, newest, 'bin/initdb'))) return null
  return isRoot && userIds() === null ? null : join(versions, newest, 'bin')
}

/** The ids of the user postgres. */
export function userIds(): { uid: number; gid: number } | null {
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? []
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : null
}

/** A running cluster. */
export interface Cluster {
  readonly url: string
  readonly folder: string
  start(): Promise<void>
  /** Starts it unless it runs: PostgreSQL ends itself when there is no room for its log. */
  startAgain(): Promise<void>
  /** Kills the server and its processes with SIGKILL. */
  kill(): void
  /** Suspends its processes: connections stay open and get no response. */
  freeze(): void
  thaw(): void
  remove(): void
}

/** Creates and starts a cluster in `parent`, a standby of `primary` when that is given; its log is beside its data. */
export async function makeCluster(
  programs: string,
  settings: readonly string[] = [],
  { parent, primary }: { readonly parent?: string; readonly primary?: Cluster } = {},
): Promise<Cluster> {
  const folder = parent ?? mkdtempSync(join(tmpdir(), 'commerce-graph-cluster-'))
  const ids = isRoot ? userIds() : null
  if (ids) chownSync(folder, ids.uid, ids.gid)
  chmodSync(folder, 0o700)
  const data = join(folder, 'data')
  const run = async (program: string, ...args: string[]): Promise<void> => {
    await promisify(execFile)(join(programs, program), args, { cwd: folder, timeout: 60_000, ...(ids ?? {}) })
  }
  if (primary) await run('pg_basebackup', '-D', data, '-d', primary.url, '-R', '-X', 'stream', '-c', 'fast')
  else await run('initdb', '-D', data, '-A', 'trust', '-U', 'postgres', '-N', '--no-instructions')
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
  const start = () =>
    run('pg_ctl', '-D', data, '-l', join(folder, 'log'), '-o', options.join(' '), '-w', '-t', '60', 'start')
  await start()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    folder,
    start,
    startAgain: () => run('pg_ctl', '-D', data, 'status').catch(start),
    kill: () => signalCluster(data, 'SIGKILL'),
    freeze: () => signalCluster(data, 'SIGSTOP'),
    thaw: () => signalCluster(data, 'SIGCONT'),
    remove() {
      signalCluster(data, 'SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Sends a signal to the postmaster of the folder and to its processes, to no others. */
export function signalCluster(data: string, name: NodeJS.Signals): void {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) return
  const postmaster = Number(readFileSync(file, 'utf8').split('\n')[0])
  const started = childrenOf(postmaster)
  for (const pid of [postmaster, ...started]) {
    try {
      process.kill(pid, name)
    } catch {
      // The process has ended meanwhile.
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

/** A free port of 127.0.0.1. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
