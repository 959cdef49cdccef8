/**
 * Patroni fleet: three PostgreSQL servers of which Patroni elects the primary by etcd, behind HAProxy, which sends
 * every connection to the primary. All of it on loopback, from Debian's packages postgresql, patroni, etcd-server and
 * haproxy.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clusterPrograms, freePort, signalCluster, userIds } from './cluster.ts'

/** One of the PostgreSQL servers, with the Patroni that runs it. */
export interface FleetNode {
  readonly name: string
  /** Its own address, whether it is the primary or a standby. */
  readonly url: string
  /** Whether Patroni calls it the primary. */
  isPrimary(): Promise<boolean>
  /** The names of the nodes that receive its log. */
  followers(): Promise<string[]>
  /** The name of the synchronous standby that Patroni has recorded, null without one: then it promotes none. */
  synchronousStandby(): Promise<string | null>
  /** SIGKILL for Patroni and PostgreSQL, as when the machine is lost. */
  kill(): void
  start(): void
  /** Suspends both: connections stay open and get no response. */
  freeze(): void
  thaw(): void
}

/** A running fleet. */
export interface Fleet {
  /** HAProxy's address of the primary. */
  readonly url: string
  readonly nodes: readonly FleetNode[]
  /** The primary, once there is one. Rejects after a minute without. */
  primary(except?: FleetNode): Promise<FleetNode>
  remove(): void
}

const programs = { etcd: '/usr/bin/etcd', patroni: '/usr/bin/patroni', haproxy: '/usr/sbin/haproxy' }

/** Packages that are missing; empty when a fleet can be started. */
export function missingPrograms(): string[] {
  const missing = Object.values(programs).filter((path) => !existsSync(path))
  return clusterPrograms() === null ? [...missing, 'initdb'] : missing
}

/** Starts a fleet of three nodes and waits until two of them follow the primary. */
export async function startFleet(): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-fleet-'))
  const ids = process.getuid?.() === 0 ? userIds() : null
  own(folder, ids)
  const [etcd, peer, front] = [await freePort(), await freePort(), await freePort()]
  const children: ChildProcess[] = []
  const run = (name: string, program: string, args: readonly string[]): ChildProcess => {
    const log = openSync(join(folder, `${name}.log`), 'a')
    const child = spawn(program, args, {
      cwd: folder,
      stdio: ['ignore', log, log],
      ...(ids ?? {}),
      env: { PATH: process.env.PATH },
    })
    children.push(child)
    return child
  }
  const [client, peers] = [`http://127.0.0.1:${etcd}`, `http://127.0.0.1:${peer}`]
  run('etcd', programs.etcd, [
    ...[
      '--name',
      'etcd',
      '--data-dir',
      join(folder, 'etcd'),
      '--listen-client-urls',
      client,
      '--advertise-client-urls',
      client,
    ],
    ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers, '--initial-cluster', `etcd=${peers}`],
  ])
  const settings = await Promise.all(
    ['one', 'two', 'three'].map(async (name) => ({
      name,
      etcd,
      rest: await freePort(),
      port: await freePort(),
      folder,
    })),
  )
  const nodes = settings.map((given) => makeNode(given, ids, run))
  for (const node of nodes) node.start()
  writeFileSync(join(folder, 'haproxy.cfg'), haproxyFile(front, settings))
  run('haproxy', programs.haproxy, ['-db', '-f', join(folder, 'haproxy.cfg')])
  const fleet: Fleet = {
    url: `postgres://postgres@127.0.0.1:${front}/postgres`,
    nodes,
    async primary(except) {
      for (const limit = Date.now() + 60_000; Date.now() < limit; await pause(100))
        for (const node of nodes) if (node !== except && (await node.isPrimary())) return node
      throw new Error(`there is no primary after a minute; logs are in ${folder}`)
    },
    remove() {
      for (const node of nodes) node.kill()
      for (const child of children) child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
  try {
    const first = await fleet.primary()
    await until(async () => (await first.followers()).length === nodes.length - 1, 'two nodes follow the primary')
    return fleet
  } catch (error) {
    for (const child of children) child.kill('SIGKILL')
    throw error
  }
}

interface NodeSettings {
  readonly name: string
  readonly folder: string
  /** Ports. */
  readonly etcd: number
  readonly rest: number
  readonly port: number
}

interface Follower {
  readonly application_name: string
  readonly state: string
}

/** A node, as Patroni describes its cluster. */
interface Member {
  readonly name: string
  readonly role: string
}

type Ids = { readonly uid: number; readonly gid: number } | null

function makeNode(
  settings: NodeSettings,
  ids: Ids,
  run: (name: string, program: string, args: readonly string[]) => ChildProcess,
): FleetNode {
  const { name, folder, rest } = settings
  const home = join(folder, name)
  mkdirSync(home)
  own(home, ids)
  const data = join(home, 'data')
  writeFileSync(join(home, 'patroni.json'), JSON.stringify(patroniFile(settings, home)))
  let child: ChildProcess | undefined
  const signal = (given: NodeJS.Signals) => {
    child?.kill(given)
    signalCluster(data, given)
  }
  const ask = async (path: string): Promise<Response | null> => {
    return fetch(`http://127.0.0.1:${rest}/${path}`, { signal: AbortSignal.timeout(1_000) }).catch(() => null)
  }
  return {
    name,
    url: `postgres://postgres@127.0.0.1:${settings.port}/postgres`,
    isPrimary: async () => (await ask('primary'))?.status === 200,
    followers: async () => {
      const { replication = [] } = ((await (await ask('patroni'))?.json()) ?? {}) as { replication?: Follower[] }
      return replication.filter(({ state }) => state === 'streaming').map((follower) => follower.application_name)
    },
    synchronousStandby: async () => {
      const { members = [] } = ((await (await ask('cluster'))?.json()) ?? {}) as { members?: Member[] }
      return members.find(({ role }) => role === 'sync_standby')?.name ?? null
    },
    start() {
      child = run(name, programs.patroni, [join(home, 'patroni.json')])
    },
    kill: () => signal('SIGKILL'),
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
  }
}

/**
 * The shortest times that Patroni allows, and synchronous commit: a write is acknowledged when a standby has it. JSON
 * is YAML.
 */
function patroniFile({ name, etcd, rest, port }: NodeSettings, home: string): object {
  const user = (username: string) => ({ username, password: 'unused, since connections on loopback are trusted' })
  return {
    scope: 'commerce',
    name,
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    etcd3: { hosts: [`127.0.0.1:${etcd}`] },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 3,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { synchronous_commit: 'on', max_connections: 100 } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(home, 'data'),
      bin_dir: clusterPrograms(),
      pgpass: join(home, 'pgpass'),
      authentication: { superuser: user('postgres'), replication: user('replicator'), rewind: user('rewinder') },
      parameters: { unix_socket_directories: home },
    },
  }
}

/** A primary that fails two checks of half a second has all its connections closed. */
function haproxyFile(front: number, nodes: readonly NodeSettings[]): string {
  return `defaults
  mode tcp
  timeout connect 2s
  timeout check 1s
  timeout client 1h
  timeout server 1h
listen primary
  bind 127.0.0.1:${front}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, port, rest }) => `  server ${name} 127.0.0.1:${port} check port ${rest}`).join('\n')}
`
}

function own(folder: string, ids: Ids): void {
  if (ids) chownSync(folder, ids.uid, ids.gid)
  chmodSync(folder, 0o700)
}

/** Waits until something holds, for a minute at most. */
export async function until(holds: () => Promise<boolean> | boolean, what: string): Promise<void> {
  for (const limit = Date.now() + 60_000; !(await holds()); await pause(100))
    if (Date.now() > limit) throw new Error(`after a minute it does not hold that ${what}`)
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
