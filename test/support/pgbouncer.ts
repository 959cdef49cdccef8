/** PgBouncer before a database, on a port of its own. */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, userIds } from '../soak/cluster.ts'
import { waitUntil } from './live.ts'

/** The program; undefined where it is not installed. */
export const pgbouncer = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((file) => existsSync(file))

/** A running PgBouncer. */
export interface Pgbouncer {
  /** The address that leads through it. */
  readonly url: string
  stop(): Promise<void>
}

/** Starts it before a database with these settings. */
export async function startPgbouncer(databaseUrl: string, settings: readonly string[]): Promise<Pgbouncer> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-pgbouncer-'))
  chmodSync(folder, 0o755)
  const front = await freePort()
  const target = [
    `host=${hostname}`,
    `port=${port || 5432}`,
    `user=${username}`,
    ...(password ? [`password=${password}`] : []),
  ]
  const file = join(folder, 'pgbouncer.ini')
  const own = [`listen_port = ${front}`, 'listen_addr = 127.0.0.1', 'unix_socket_dir =', 'auth_type = any']
  writeFileSync(file, ['[databases]', `* = ${target.join(' ')}`, '[pgbouncer]', ...own, ...settings, ''].join('\n'))
  // It refuses to run as root.
  const child = spawn(pgbouncer ?? '', ['-q', file], { stdio: 'ignore', ...(process.getuid?.() === 0 && userIds()) })
  const ended = new Promise((done) => child.on('close', done))
  const answers = () =>
    new Promise<boolean>((done) => {
      const socket = connect(front, '127.0.0.1', () => done(true)).on('error', () => done(false))
      socket.end()
    })
  await waitUntil(answers)
  return {
    url: `postgres://${username}@127.0.0.1:${front}${pathname}`,
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}
