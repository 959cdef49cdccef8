/** The guide to backups and upgrades: its commands in one shell, on a store that is changed in between. */
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'
import { demoIds } from '../../src/demo/demo-ids.ts'
import { freePort } from '../soak/cluster.ts'
import { urlOf } from '../support/database-address.ts'
import { codeBlocks, readPage } from '../support/markdown.ts'
import { makeDatabase, type OwnDatabase } from '../support/own-database.ts'
import { startProgram } from '../support/program.ts'
import { openShell } from '../support/shell.ts'
import { startCommand } from '../support/start-command.ts'

const page = readPage('src/guides/backup-and-upgrade.md').replaceAll(/^ {3}/gm, '')
const sections = new Map(
  page.split(/^## /m).map((section) => [section.split('\n')[0] ?? '', codeBlocks(section, 'sh')] as const),
)
/** The blocks of commands under a heading. */
function blocksOf(heading: string): string[] {
  const blocks = sections.get(heading)
  if (!blocks?.length) throw new Error(`the guide has no commands under ${heading}`)
  return blocks
}
const [begin = ''] = blocksOf('# Backup, restore, upgrade, roll back')
const [backupProgram = '', backUp = ''] = blocksOf('Back up PostgreSQL')
const [chooseDump = '', restore = '', look = '', swap = '', lost = '', bringBack = ''] =
  blocksOf("Restore yesterday's backup")
const [chooseVersion = '', , compare = '', withoutMigrations = '', withMigrations = ''] = blocksOf('Upgrade')
const [exportSince = '', pointBack = '', bringAlong = ''] = blocksOf('Roll back')

const secrets = {
  NODE_ENV: 'production',
  AUTH_SECRET: 'a secret of the backups, long enough',
  CLIENT_ID: 'shop',
  CLIENT_SECRET: 'a secret of the shop',
}

const root = mkdtempSync(join(tmpdir(), 'commerce-graph-backup-'))
const cleanUps: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
  rmSync(root, { recursive: true, force: true })
})

/** A started server of a version, in its folder. */
async function start(environment: Record<string, string>, version: string) {
  const [node, flag = '', , entry = ''] = startCommand()
  const program = startProgram([node, flag, join(version, 'src/tools/run.mjs'), entry], environment)
  const [, base = ''] = await program.says(/"address":"([^"]+)"/)
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'shop',
    client_secret: secrets.CLIENT_SECRET,
  })
  const issued = await fetch(`${base}/oauth/access_token`, { method: 'POST', body })
  const { access_token: token } = (await issued.json()) as { access_token: string }
  return {
    version,
    program,
    ready: async () => (await fetch(`${base}/ready`)).status,
    // biome-ignore lint/suspicious/noExplicitAny: responses of every shape
    async gql(query: string): Promise<any> {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const response = await fetch(`${base}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
      const { data, errors } = (await response.json()) as { data?: object; errors?: object[] }
      expect(errors).toBeUndefined()
      return data
    },
    async stop() {
      program.child.kill('SIGTERM')
      expect(await program.exit).toBe(0)
    },
  }
}
type Running = Awaited<ReturnType<typeof start>>

/**
 * A machine that is installed as the guide to production says, in a folder: its file of variables, the link to the
 * version, a systemctl that starts and stops servers, and a shell. Names of the guide are replaced by those of the run.
 */
async function installMachine(variables: Record<string, string>, names: readonly [RegExp | string, string][] = []) {
  const folder = mkdtempSync(join(root, 'machine-'))
  const [file, backups, opt, programs] = ['commerce-graph.env', 'backups', 'opt', 'sbin'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string]
  for (const made of [opt, programs]) mkdirSync(made)
  const link = join(opt, 'commerce-graph')
  symlinkSync(projectRoot, link)
  const environment = { ...secrets, ...variables }
  writeFileSync(
    file,
    Object.entries(environment)
      .map(([name, value]) => `${name}='${value}'\n`)
      .join(''),
  )
  const ports = { 4000: String(await freePort()), 4001: String(await freePort()) }
  const here = (lines: string) =>
    [
      [/\b4000\b/g, ports[4000]] as const,
      [/\b4001\b/g, ports[4001]] as const,
      ...names,
      ['/etc/commerce-graph.env', file] as const,
      ['/var/backups/commerce-graph', backups] as const,
      ['/opt/', `${opt}/`] as const,
    ].reduce((replaced, [name, own]) => replaced.replaceAll(name, own), lines)
  writeFileSync(join(programs, 'commerce-graph-backup'), here(backupProgram), { mode: 0o755 })

  const servers = new Map<string, Running>()
  async function systemctl(verb: string, ports: readonly string[]): Promise<void> {
    if (!['start', 'stop', 'restart'].includes(verb)) return
    for (const port of ports) {
      if (verb !== 'start') await servers.get(port)?.stop()
      if (verb === 'stop') servers.delete(port)
      else servers.set(port, await start({ ...environment, PORT: port }, realpathSync(link)))
    }
  }
  const control = createServer((request, response) => {
    void (async () => {
      const [verb = '', ...units] = (await text(request)).split(' ')
      const failure = await systemctl(
        verb,
        units.map((unit) => unit.split('@')[1] ?? ''),
      ).catch((error: Error) => error)
      if (failure) console.error(failure)
      response.writeHead(failure ? 500 : 200).end()
    })()
  }).listen(0, '127.0.0.1')
  await once(control, 'listening')
  const shell = openShell(programs)
  cleanUps.push(async () => {
    await shell.close()
    for (const { program } of servers.values()) {
      program.child.kill('SIGKILL')
      await program.exit
    }
    control.close()
  })
  await shell.run(
    `systemctl() { curl -sf --data "$*" http://127.0.0.1:${(control.address() as AddressInfo).port}; }; git() { :; }`,
  )
  const run = (lines: string) => shell.run(here(lines))
  await run(begin)
  await run('npm run -s import -- prisma/demo.jsonl')
  await systemctl('start', variables.DATABASE_URL ? Object.values(ports) : [ports[4000]])
  return {
    run,
    opt,
    environment,
    /** Runs lines as they would have run a day ago. */
    yesterday: (lines: string) =>
      run(`date() { command date -d yesterday "$@"; }; export -f date\n${lines}\nunset -f date`),
    server(port: 4000 | 4001 = 4000): Running {
      const found = servers.get(ports[port])
      if (!found) throw new Error(`no server runs on ${port}`)
      return found
    },
    exported: () => run('npm run -s export'),
    modesOf: (ending: string) =>
      readdirSync(backups)
        .filter((name) => name.endsWith(ending))
        .map((name) => statSync(join(backups, name)).mode & 0o777),
    readBackup: (name: string) => readFileSync(join(backups, name), 'utf8'),
  }
}

/** Whether the retail book has a price of the SKU that the guide brings back. */
async function isPriced(server: Running): Promise<boolean> {
  const query = `{ priceBook(id: "${demoIds.priceBook}") { prices(filter: { sku: { eq: "ETH-YIRG" } }) { totalCount } } }`
  return (await server.gql(query)).priceBook.prices.totalCount === 1
}

async function deletePrice(server: Running): Promise<void> {
  const { deleteProductPrice: payload } = await server.gql(
    'mutation { deleteProductPrice(input: { id: "c0ffee00-0006-4000-8000-000000000001" }) { userErrors { message } } }',
  )
  expect(payload.userErrors).toEqual([])
  expect(await isPriced(server)).toBe(false)
}

const rename = (name: string) =>
  `mutation { updateProduct(input: { id: "c0ffee00-0002-4000-8000-000000000003", name: "${name}" }) { userErrors { message } } }`

test('the embedded database is backed up and restored by the commands of the guide', async () => {
  const machine = await installMachine({ DATA_DIR: join(root, 'data') })
  const [backUpFolder = '', restoreFolder = ''] = blocksOf('Back up and restore the embedded database')
  expect(Number(await machine.yesterday(backUpFolder))).toBeGreaterThan(0)
  expect(machine.modesOf('.tgz')).toEqual([0o600])
  await deletePrice(machine.server())
  await machine.run(restoreFolder)
  expect(await isPriced(machine.server())).toBe(true)
})

describe.runIf(process.env.DATABASE_URL)('on PostgreSQL [needs PostgreSQL]', () => {
  const nameOf = (what: string) => `commerce_graph_${what}_${process.pid}`
  const [role, store, restored, before] = ['backup', 'store', 'restored', 'before'].map(nameOf) as [
    string,
    string,
    string,
    string,
  ]
  let admin: OwnDatabase
  let machine: Awaited<ReturnType<typeof installMachine>>
  const drop = (name: string) => admin.sql(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)

  beforeAll(async () => {
    admin = await makeDatabase()
    cleanUps.push(async () => {
      for (const name of [store, restored, before]) await drop(name)
      await admin.sql(`DROP ROLE IF EXISTS ${role}`)
      await admin.drop()
    })
    await admin.sql(`CREATE ROLE ${role} LOGIN`)
    await admin.sql(`CREATE DATABASE ${store} OWNER ${role} ENCODING 'UTF8' TEMPLATE template0`)
    const url = new URL(urlOf(admin.url, store))
    url.username = role
    machine = await installMachine({ DATABASE_URL: url.href }, [
      [/ADMIN_URL=\S+/g, `ADMIN_URL=${process.env.DATABASE_URL ?? ''}`],
      ['commerce_restored', restored],
      ['commerce_before', before],
      [/\bOWNER commerce\b/g, `OWNER ${role}`],
      [/\b(DATABASE|TO) commerce\b/g, `$1 ${store}`],
    ])
  })

  test('yesterday is restored record by record while servers go on, and as a whole', async () => {
    const stored = await machine.exported()
    const [tables, file] = (await machine.yesterday(backUp)).split('\n')
    expect(Number(tables)).toBeGreaterThan(20)
    expect(file).toMatch(/\/shop-[\d-]+\.dump$/)
    expect(machine.modesOf('.dump')).toEqual([0o600])
    await deletePrice(machine.server())

    await machine.run(chooseDump)
    await machine.run(restore)
    const open = `SELECT has_database_privilege('public', '${restored}', 'CONNECT') AS "isOpen"`
    expect(await admin.sql(open)).toEqual([{ isOpen: false }])
    expect(Number(await machine.run(look))).toBe(stored.trimEnd().split('\n').length)
    expect(await machine.run('DATABASE_URL=$RESTORED npm run -s export')).toBe(stored)
    // The other price of the SKU is that of members: it is still there.
    expect(await machine.run(lost)).toMatch(/^product-price +1 +0 +1 +0$/m)
    await machine.run(bringBack)
    expect(await isPriced(machine.server())).toBe(true)

    await deletePrice(machine.server())
    await machine.run(restore)
    await machine.run(swap)
    expect(await Promise.all([machine.server(4000).ready(), machine.server(4001).ready()])).toEqual([200, 200])
    expect(await isPriced(machine.server())).toBe(true)
    expect(await machine.exported()).toBe(stored)
    const { catalog } = await machine
      .server()
      .gql(
        `{ catalog(id: "${demoIds.catalog}") { latestRelease { product(by: { sku: "ETH-YIRG" }) { price(currency: "EUR") { sale { name } } } } } }`,
      )
    expect(catalog.latestRelease.product.price.sale).toEqual({ name: 'Harvest festival' })
    await drop(before)
  })

  /** The version that the guide upgrades to: this one, with more migrations. */
  function makeVersion(migrations: Record<string, string> = {}): string {
    const [, name = ''] = /^NEW=\/opt\/(.*)$/m.exec(chooseVersion) ?? []
    const version = join(machine.opt, name)
    rmSync(version, { recursive: true, force: true })
    for (const path of ['src', 'prisma', '.config', 'package.json', 'package-lock.json', 'tsconfig.json'])
      cpSync(join(projectRoot, path), join(version, path), { recursive: true })
    cpSync(join(projectRoot, '.build'), join(version, '.build'), {
      recursive: true,
      filter: (path) => !path.includes('tests.'),
    })
    symlinkSync(join(projectRoot, 'node_modules'), join(version, 'node_modules'))
    for (const [migration, sql] of Object.entries(migrations)) {
      mkdirSync(join(version, 'prisma/migrations', migration))
      writeFileSync(join(version, 'prisma/migrations', migration, 'migration.sql'), sql)
    }
    return version
  }
  const versions = () => [machine.server(4000).version, machine.server(4001).version]

  test('versions with the same migrations replace each other one server after the other', async () => {
    const next = makeVersion()
    await machine.run(chooseVersion)
    expect(await machine.run(compare)).toBe('')
    await machine.run(withoutMigrations)
    expect(versions()).toEqual([next, next])
    await machine.run(withoutMigrations.replace('"$NEW"', '"$OLD"'))
    expect(versions()).toEqual([projectRoot, projectRoot])
  })

  test('a version with a new migration is started, and rolled back by the backup before it with what was written since', async () => {
    const next = makeVersion({ '99990101000000_note': 'ALTER TABLE product ADD COLUMN note TEXT' })
    await machine.run(chooseVersion)
    expect(await machine.run(`${compare.trim()} || true`)).toBe(
      `Only in ${next}/prisma/migrations: 99990101000000_note\n`,
    )
    const old = await start({ ...machine.environment, PORT: '0' }, projectRoot)
    await machine.run(withMigrations)
    expect(versions()).toEqual([next, next])
    expect(await Promise.all([machine.server().ready(), old.ready()])).toEqual([200, 503])
    await old.stop()
    await machine.server().gql(rename('Kenya Nyeri AB'))
    // The backup of the night is another file.
    await machine.run(backUp)

    await machine.run(exportSince)
    expect(machine.readBackup('since.jsonl')).toContain('Kenya Nyeri AB')
    const refused = startProgram(startCommand(), machine.environment)
    expect(await refused.exit).toBe(1)
    const [, sentence = ''] =
      /refuses the database:\s+"has the migration …, ([^"]+)"/.exec(page.replaceAll('\n', ' ')) ?? []
    expect(refused.printed()).toContain(`99990101000000_note, ${sentence}`)

    for (const lines of [pointBack, restore, look, swap]) await machine.run(lines)
    expect(versions()).toEqual([projectRoot, projectRoot])
    expect(await machine.server().ready()).toBe(200)
    const name = async () =>
      (await machine.server().gql('{ product(id: "c0ffee00-0002-4000-8000-000000000003") { name } }')).product.name
    expect(await name()).not.toBe('Kenya Nyeri AB')
    await machine.run(bringAlong)
    expect(await name()).toBe('Kenya Nyeri AB')
  })
})
