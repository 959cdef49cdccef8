/**
 * The container: its image is put together as its Dockerfile says, without a container engine, which not every machine
 * has.
 */
import { execFile, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { projectRoot } from '../../src/config/project-root.ts'
import { variablesOfConfig } from '../support/config-variables.ts'
import { shortLived } from '../support/start-command.ts'

const container = join(projectRoot, 'src/server/container')
const read = (name: string): string => readFileSync(join(container, name), 'utf8')
/** The instructions of the image's stages, the last of which is the image. */
const stages = read('Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/ \\\n\s*/g, ' ')
  .split(/^FROM .*$/m)
  .map((stage) => stage.split('\n').filter((line) => line !== ''))
const argumentsOf = (stage: readonly string[], keyword: string): string[] =>
  stage.filter((line) => line.startsWith(`${keyword} `)).map((line) => line.slice(keyword.length + 1))
const image = stages.at(-1) ?? []
const variables = Object.fromEntries(
  argumentsOf(image, 'ENV').flatMap((line) => line.split(' ').map((one) => one.split('=', 2))),
) as Record<string, string>
const [healthCheck = ''] = argumentsOf(image, 'HEALTHCHECK').map((line) => line.replace(/^.*? CMD /, ''))
const copied = stages.flatMap((stage) => argumentsOf(stage, 'COPY')).filter((line) => !line.startsWith('--'))

const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-container-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A user without rights, where this one may become another. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** The server's files in the image, without Debian and Node. */
const IMAGE_MB_MAX = 50

/** Megabytes of the files in a folder, without the empty database and what the Dockerfile's RUN deletes. */
function megabytesOf(app: string): number {
  const left = /^\.build\/|\.map$|\.d\.c?ts$|render-graphiql\/cjs\//
  const files = (readdirSync(app, { recursive: true }) as string[]).filter((name) => !left.test(name))
  const sizes = files.map((name) => statSync(join(app, name))).map((stat) => (stat.isFile() ? stat.size : 0))
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6
}

/** Copies what the image copies, with the bundles of this project as those of its first stage. */
async function makeImage(): Promise<string> {
  const build = 'src/tools/build.mjs'
  const { build: bundle } = (await import(join(projectRoot, build))) as { build(): Promise<string> }
  const program = await bundle()
  const app = join(folder, 'app')
  for (const line of argumentsOf(image, 'COPY')) {
    const [from = '', to = ''] = line.replace('--from=build /app/', '').split(' ')
    if (to.startsWith('/')) continue
    cpSync(from === 'program' ? program : join(projectRoot, from), join(app, to === './' ? from : to), {
      recursive: true,
    })
  }
  // The empty database is copied, since making it, as the image does at its first start, takes seconds; it must stay
  // writable where it goes.
  for (const name of ['.build/pglite-template', '.build/pglite-template.stamp']) {
    cpSync(join(projectRoot, name), join(app, name), { recursive: true })
  }
  chmodSync(folder, 0o755)
  await promisify(execFile)('chmod', ['-R', 'a+rX', app])
  await promisify(execFile)('find', [
    app,
    '-path',
    join(app, '.build'),
    '-prune',
    '-o',
    '-exec',
    'chmod',
    'a-w',
    '{}',
    '+',
  ])
  return app
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

test('the image runs from what it copies, read-only, as a user without rights, is healthy, and stops by SIGTERM', async () => {
  const app = await makeImage()
  expect(megabytesOf(app)).toBeGreaterThan(30)
  expect(megabytesOf(app)).toBeLessThan(IMAGE_MB_MAX)
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o777 })
  chmodSync(data, 0o777)
  const port = String(await freePort())
  const secrets = {
    AUTH_SECRET: 'a secret of the container, long enough',
    CLIENT_ID: 'shop',
    CLIENT_SECRET: 'a secret of the shop',
  }
  const env = { ...variables, ...secrets, PORT: port, DATA_DIR: data }
  const [command = ''] = argumentsOf(image, 'CMD')
  const [, ...args] = JSON.parse(command)
  // The user may have no way to the folder in which this Node is.
  const node = join(folder, 'node')
  copyFileSync(process.execPath, node)
  const checkHealth = () => promisify(execFile)(process.execPath, JSON.parse(healthCheck).slice(1), { env, cwd: app })
  await expect(checkHealth()).rejects.toMatchObject({ code: 1 })
  const child = spawn(node, [...shortLived, ...args], { ...nobody, cwd: app, env })
  let printed = ''
  const exit = new Promise((done) => child.on('close', done))
  const listening = new Promise<void>((done, fail) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        printed += text
        if (printed.includes('"msg":"listening"')) done()
      })
    }
    child.on('error', fail)
    void exit.then(() => fail(new Error(printed)))
  })
  try {
    await listening
    await checkHealth()
    const page = await (await fetch(`http://127.0.0.1:${port}/graphql`, { headers: { accept: 'text/html' } })).text()
    const script = /\/graphql\/graphiql\/\w+\/graphiql\.js/.exec(page)?.[0]
    expect((await fetch(`http://127.0.0.1:${port}${script}`)).status).toBe(200)
    for (const path of ['/', '/explore', '/docs']) {
      expect((await fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept: 'text/html' } })).status).toBe(200)
    }
  } finally {
    child.kill('SIGTERM')
  }
  expect(await exit).toBe(0)
})

test('every path that an instruction copies exists, and gets past the ignore file', () => {
  const letIn = read('Dockerfile.dockerignore').split('\n')
  const paths = copied.flatMap((line) => line.split(' ').slice(0, -1))
  expect(paths.length).toBeGreaterThan(5)
  expect(paths.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([])
  expect(letIn[0]).toBe('*')
  expect(paths.filter((path) => !letIn.includes(`!${path.split('/')[0]}`))).toEqual([])
})

test('every variable that the image and the compose file set is a setting, and a secret is never written there', () => {
  const settings = variablesOfConfig()
  const { services, configs } = parse(read('compose.yaml'))
  const { environment, build, read_only } = services.server
  const names = [...Object.keys(variables), ...Object.keys(environment)]
  expect(names).toEqual(expect.arrayContaining(['NODE_ENV', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'AUTH_SECRET']))
  expect(names.filter((name) => !settings.includes(name) && name !== 'NODE_OPTIONS')).toEqual([])
  expect(Object.entries(environment).filter(([, value]) => !/\$\{[A-Z_]+:\?[^}]+\}/.test(String(value)))).toEqual([])
  expect(resolve(container, build.context)).toBe(resolve(projectRoot))
  expect(dirname(join(projectRoot, build.dockerfile))).toBe(container)
  expect(read_only).toBe(true)
  const mounted = Object.values<{ file?: string }>(configs).flatMap(({ file }) => file ?? [])
  expect(mounted).toEqual(['../monitoring/alerts.yml'])
  expect(mounted.filter((path) => !existsSync(join(container, path)))).toEqual([])
})

test.skipIf(spawnSync('promtool', ['--version']).status !== 0)(
  "promtool accepts the compose file's configuration of Prometheus [needs Prometheus]",
  async () => {
    const { configs, services } = parse(read('compose.yaml'))
    const place = join(folder, 'prometheus')
    mkdirSync(place)
    for (const { source, target } of services.prometheus.configs) {
      const { content, file } = configs[source]
      const text =
        content?.replace(/\$\{[^}]+\}/g, 'a token of the metrics') ?? readFileSync(join(container, file), 'utf8')
      writeFileSync(join(place, target.replace('/etc/prometheus/', '')), text)
    }
    const { stdout } = await promisify(execFile)('promtool', [
      'check',
      'config',
      '--lint-fatal',
      join(place, 'prometheus.yml'),
    ])
    expect(stdout).toMatch(/SUCCESS: 1 rule files found[\s\S]*SUCCESS: 10 rules found/)
  },
)

test('the image runs as a user without rights, in production, without a shell between it and its signals', () => {
  expect(argumentsOf(image, 'USER')).toEqual(['node'])
  expect(variables).toMatchObject({ NODE_ENV: 'production', HOST: '0.0.0.0' })
  expect(argumentsOf(image, 'CMD').map((line) => JSON.parse(line))).toEqual([
    ['node', '--v8-pool-size=0', 'program/main.mjs'],
  ])
})
