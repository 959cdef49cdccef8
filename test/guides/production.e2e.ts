/** The guide to production: its commands and configurations, on a machine that already has PostgreSQL and nginx. */
import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv, promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadConfig } from '../../src/config/config.ts'
import { projectRoot } from '../../src/config/project-root.ts'
import { freePort } from '../soak/cluster.ts'
import { testDatabaseUrl, useDatabase } from '../support/database.ts'
import { urlOf } from '../support/database-address.ts'
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts'
import { codeBlocks, readPage, tableRows } from '../support/markdown.ts'
import { nginx, startNginx } from '../support/nginx.ts'
import { makeDatabase } from '../support/own-database.ts'
import { pgbouncer, startPgbouncer } from '../support/pgbouncer.ts'
import { type Program, startProgram } from '../support/program.ts'
import { startTestServer, testAuth } from '../support/server.ts'
import { startCommand } from '../support/start-command.ts'

const page = readPage('src/guides/production.md')
const sectionOf = (heading: string) => page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
const blocks = (heading: string, language = 'sh') => codeBlocks(sectionOf(heading), language)
const [variables = ''] = blocks('Variables and secrets', 'env')
const [unit = ''] = blocks('Processes', 'ini')
/** A setting of the unit. */
const setting = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? ''

const database = useDatabase()
const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-production-'))
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs lines in a new shell, which knows only what they set. */
async function sh(lines: string): Promise<string> {
  const { PATH = '', HOME = '' } = process.env
  const { stdout } = await promisify(execFile)('bash', ['-c', `set -euo pipefail\n${lines}`], {
    cwd: projectRoot,
    env: { PATH, HOME },
  })
  return stdout
}

/** The guide's role of the back office. */
const claims = { sub: 'back-office', aud: 'commerce-graph', realm_access: { roles: ['shop-admin'] } }
async function startProvider(): Promise<IdentityProvider> {
  const shape = { path: '/realms/shop', keys: '/protocol/openid-connect/certs', clients: { 'back-office': claims } }
  const provider = await startIdentityProvider(shape)
  cleanUps.push(provider.stop)
  return provider
}

test('the unit of the guide starts the server as npm start does, and waits longer than a stop takes', () => {
  const [, ...args] = startCommand()
  expect(setting('ExecStart')).toBe(['/usr/bin/node', ...args].join(' '))
  expect(setting('WorkingDirectory')).toBe('/opt/commerce-graph')
  const stop = Number(/STOP_MS = ([\d_]+)/.exec(readPage('src/main.ts'))?.[1]?.replace('_', '')) / 1000
  const [, drain] = /DRAIN_SECONDS=(\d+)/.exec(sectionOf('Processes')) ?? []
  expect(Number(setting('TimeoutStopSec'))).toBeGreaterThan(Number(drain) + stop)
  // Node compiles code while it runs.
  expect(unit).not.toContain('MemoryDenyWriteExecute')
})

/** Two processes on a database of their own, with the file of variables and by the command of the unit of the guide. */
async function startProcesses() {
  const name = `commerce_graph_production_${process.pid}`
  const admin = await makeDatabase()
  cleanUps.push(async () => {
    await admin.sql(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await admin.sql(`DROP ROLE IF EXISTS ${name}`)
    await admin.drop()
  })
  for (const statement of (blocks('PostgreSQL', 'sql')[0] ?? '').trim().split('\n'))
    await admin.sql(statement.replaceAll(/\bcommerce\b/g, name))

  const file = join(temporaryFolder(), 'commerce-graph.env')
  const [makeFile = '', readFile = ''] = blocks('Variables and secrets').map((lines) =>
    lines.replaceAll('/etc/commerce-graph.env', file).replace('cd /opt/commerce-graph', ''),
  )
  await sh(makeFile)
  const provider = await startProvider()
  const url = new URL(urlOf(process.env.DATABASE_URL ?? '', name))
  url.username = name
  const own = variables
    .replace(/^(DATABASE_URL=).*$/m, `$1${url.href}`)
    .replaceAll('https://login.example/realms/shop', provider.issuer)
  writeFileSync(file, readFileSync(file, 'utf8') + own)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const written = readFileSync(file, 'utf8')
  await sh(makeFile)
  expect(readFileSync(file, 'utf8')).toBe(written)
  const environment = parseEnv(readFileSync(file, 'utf8')) as Record<string, string>

  const ports = [String(await freePort()), String(await freePort())] as const
  const programs: Program[] = []
  cleanUps.push(async () => {
    for (const { child, exit } of programs) {
      child.kill('SIGKILL')
      await exit
    }
  })
  async function startOn(port: string, more: Record<string, string> = {}): Promise<Program> {
    const [, ...args] = setting('ExecStart').split(' ')
    const program = startProgram([process.execPath, ...args], { ...environment, ...more, PORT: port })
    programs.push(program)
    await program.says(/"msg":"listening"/)
    return program
  }
  /** Lines of the guide in a shell that has read the file of variables. */
  const withVariables = (lines: string) =>
    sh(readFile + lines.replaceAll(/\b4000\b/g, ports[0]).replaceAll(/\b4001\b/g, ports[1]))
  return { ports, startOn, withVariables, provider }
}

test.runIf(process.env.DATABASE_URL)(
  'two processes are ready on the database, with the file of variables and by the command of the unit of the guide [needs PostgreSQL]',
  async () => {
    const { ports, startOn, withVariables } = await startProcesses()
    const programs = [await startOn(ports[0]), await startOn(ports[1])]
    const look = (blocks('Processes')[0] ?? '').replace(/^systemctl .*\n/, '')
    const looked = async () => (await withVariables(look)).trim().split(/[\n|]/)
    await expect.poll(async () => (await looked()).slice(0, 4)).toEqual(['200', '200', '200', '200'])

    const count = (await looked()).at(-1)
    const [, poolMax, more] = /takes `POOL_MAX` \((\d+)\) and (\w+) more/.exec(page) ?? []
    expect([Number(poolMax), more]).toEqual([loadConfig({}, () => 'made').poolMax, 'three'])
    expect(Number(count)).toBeGreaterThan(2)
    expect(Number(count)).toBeLessThanOrEqual(2 * (Number(poolMax) + 3))

    const [scrape = ''] = blocks('Metrics, alerts, log')
    const [metrics = ''] = scrape.split('\napt')
    expect(Number(await withVariables(metrics))).toBeGreaterThan(10)

    for (const { child, exit, printed } of programs) {
      child.kill('SIGTERM')
      expect(await exit).toBe(0)
      const lines = printed().trim().split('\n')
      expect(lines.map((line) => typeof JSON.parse(line).level)).toEqual(lines.map(() => 'number'))
    }
  },
)

test.runIf(nginx && process.env.DATABASE_URL)(
  'behind nginx no request fails while one process after the other is restarted [needs PostgreSQL] [needs nginx]',
  async () => {
    const { ports, startOn, provider } = await startProcesses()
    const unlimited = { RATE_LIMIT: '' }
    const programs = [await startOn(ports[0], unlimited), await startOn(ports[1], unlimited)]
    const { url, stop } = await startNginx(
      temporaryFolder(),
      ports.map((port) => `http://127.0.0.1:${port}`),
    )
    cleanUps.push(stop)
    const headers = {
      authorization: `Bearer ${await provider.tokenOf('back-office')}`,
      'content-type': 'application/json',
    }
    const failures: string[] = []
    let sent = 0
    let goesOn = true
    const clients = Array.from({ length: 4 }, async () => {
      while (goesOn) {
        const query = `{ priceBooks(first: ${++sent % 20}) { totalCount } }`
        const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
        const text = await response.text()
        if (text !== '{"data":{"priceBooks":{"totalCount":0}}}') failures.push(`${response.status} ${text}`)
      }
    })
    for (const [index, { child, exit }] of programs.entries()) {
      const before = sent
      await expect.poll(() => sent - before).toBeGreaterThan(50)
      child.kill('SIGTERM')
      expect(await exit).toBe(0)
      const port = ports[index] ?? ''
      await startOn(port, unlimited)
      await expect.poll(async () => (await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(200)
    }
    goesOn = false
    await Promise.all(clients)
    expect(failures).toEqual([])
    expect(sent).toBeGreaterThan(200)
  },
)

test.skipIf(!nginx)(
  'through nginx of the guide the server is reached by TLS and HTTP/2, and its limits are what the guide says [needs nginx]',
  async () => {
    const folder = temporaryFolder()
    const config = { ...loadConfig({ ...parseEnv(variables), DATABASE_URL: '' }), auth: testAuth }
    const server = await startTestServer(database, { config })
    cleanUps.push(() => server.stop())
    const { secure, certificate, url, redirect, stop } = await startNginx(folder, [server.url])
    cleanUps.push(stop)
    const redirected = await fetch(`${redirect}/graphql?query=1`, { redirect: 'manual' })
    expect([redirected.status, redirected.headers.get('location')]).toEqual([301, 'https://127.0.0.1/graphql?query=1'])
    mkdirSync(join(folder, '.well-known/acme-challenge'), { recursive: true })
    writeFileSync(join(folder, '.well-known/acme-challenge/token'), 'proof')
    expect(await (await fetch(`${redirect}/.well-known/acme-challenge/token`)).text()).toBe('proof')
    const { port } = new URL(secure)
    const curl = `curl() { command curl --cacert ${certificate} --resolve api.shop.example:${port}:127.0.0.1 "$@"; }\n`
    const through = (lines: string) => curl + lines.replaceAll('https://api.shop.example', secure)

    const [, see = ''] = blocks('TLS')
    expect(await sh(through(see))).toBe('200 2\n404\n')
    const tokens = await Promise.all(
      Array.from({ length: 12 }, () =>
        fetch(`${url}/oauth/access_token`, {
          method: 'POST',
          body: new URLSearchParams({ grant_type: 'implicit', client_id: 'demo' }),
        }),
      ),
    )
    expect(new Set(tokens.map(({ status }) => status))).toEqual(new Set([200, 429]))

    const [limits = ''] = blocks('Limits').map((lines) =>
      lines
        .replace(/^TOKEN=\S+/m, `TOKEN=${server.shopper}`)
        .replace(/^OTHER_TOKEN=\S+/m, `OTHER_TOKEN=${server.admin}`),
    )
    const printed = (await sh(through(limits))).replaceAll(/ +|\r/g, ' ').split('\n')
    expect(printed.map((line) => line.trim())).toEqual([
      '600 200',
      '1 429',
      'access-control-allow-origin: https://shop.example',
      '{"data":{"__typename":"Query"}}',
    ])

    const strict = await startTestServer(database, { config: { ...config, persistedOnly: true } })
    cleanUps.push(() => strict.stop())
    const last = limits.slice(limits.lastIndexOf('curl'))
    expect(await sh(`API=${strict.url}\nOTHER_TOKEN=${server.admin}\n${last}`)).toContain(
      '"code":"PERSISTED_QUERY_ONLY"',
    )
  },
)

test.runIf(pgbouncer && process.env.DATABASE_URL)(
  'through PgBouncer with the settings of the guide a process is ready, and there is a connection for each that two may take [needs PostgreSQL] [needs PgBouncer]',
  async () => {
    const [file = ''] = blocks('PgBouncer', 'ini')
    const settings = file.split('\n').filter((line) => /^(pool_mode|default_pool_size|max_client_conn) =/.test(line))
    expect(settings).toHaveLength(3)
    expect(settings).toContain(`default_pool_size = ${2 * (loadConfig({}, () => 'made').poolMax + 3)}`)
    const { url, stop } = await startPgbouncer(testDatabaseUrl() ?? '', settings)
    cleanUps.push(stop)
    const program = startProgram(startCommand(), { DATABASE_URL: url, LOG_LEVEL: 'info' })
    cleanUps.push(async () => {
      program.child.kill('SIGTERM')
      await program.exit
    })
    const [, base = ''] = await program.says(/"address":"([^"]+)"/)
    expect((await fetch(`${base}/ready`)).status).toBe(200)
  },
)

test.skipIf(spawnSync('promtool', ['--version']).status !== 0)(
  'promtool accepts the alert rules by the command of the guide [needs Prometheus]',
  async () => {
    const [, check = ''] = (blocks('Metrics, alerts, log')[0] ?? '').split('\npromtool')
    expect(await sh(`promtool${check.replace('/opt/commerce-graph', projectRoot)}`)).toContain('SUCCESS')
  },
)

test('monitoring says of each alert what to do first', () => {
  const { groups } = parse(readPage('src/server/monitoring/alerts.yml')) as { groups: { rules: { alert: string }[] }[] }
  const [, text = ''] = readPage('src/server/monitoring/README.md').split('What an alert asks of you first:\n')
  const named = tableRows(text.split('\nWhat this server can')[0] ?? '').map(([alert = '']) =>
    alert.replaceAll('`', ''),
  )
  expect(named).toEqual(groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)))
})

test('the figures of capacity are those that were measured', () => {
  const measured = `${readPage('test/bench/README.md')}\n${readPage('test/README.md')}`
  const figures = tableRows(sectionOf('Capacity')).flatMap(([, text = '']) => text.match(/\d[\d,.]*/g) ?? [])
  expect(figures.length).toBeGreaterThan(8)
  expect(figures.filter((figure) => !measured.includes(figure))).toEqual([])
})

test('the checklist of the guide leads to each of its sections', () => {
  const [head = ''] = page.split('\n## ')
  const linked = [...head.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor)
  const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, text = '']) =>
    text.toLowerCase().replaceAll(',', '').replaceAll(' ', '-'),
  )
  expect(linked).toEqual(headings)
})
