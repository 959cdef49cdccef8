/** The page of the variables says what the code reads, with its defaults; its file of variables works as it is. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { variablesOfConfig } from '../support/config-variables.ts'
import { codeBlocks, readPage, tableRows } from '../support/markdown.ts'

const page = readPage('src/config/README.md')
const rows = tableRows(page).map(([name = '', fallback = '']) => ({ name: name.replaceAll('`', ''), fallback }))
const [file = '', ...otherFiles] = codeBlocks(page, 'sh')

function load(variables: NodeJS.ProcessEnv) {
  const { auth, ...config } = loadConfig(variables, () => 'made')
  // Whether the role was named at all; its name is compared.
  return { ...config, auth: { ...auth, claims: { ...auth.claims, areProviderRoles: null } } }
}

test('the page of the variables has one row for each variable that the configuration reads, and no other', () => {
  expect(rows.length).toBeGreaterThan(40)
  expect(rows.map(({ name }) => name).sort()).toEqual([...variablesOfConfig()].sort())
})

test.each(rows.filter(({ fallback }) => fallback.startsWith('`')))(
  'without $name the configuration is the one with its default of the page, $fallback',
  ({ name, fallback }) => {
    expect(load({ [name]: fallback.replaceAll('`', '') })).toEqual(load({}))
  },
)

test('a default that the page gives in words is no value of the configuration', () => {
  const words = rows.flatMap(({ fallback }) => (fallback.startsWith('`') ? [] : fallback))
  expect([...new Set(words)].sort()).toEqual(['any', 'made', 'none', 'off'])
})

test('the file of variables on the page configures a production server, from a shell as from a container', () => {
  expect(otherFiles).toEqual([])
  const variables = parseEnv(file)
  expect(load(variables)).toMatchObject({
    production: true,
    host: '0.0.0.0',
    drainSeconds: 5,
    databaseUrl: variables.DATABASE_URL,
    auth: { kind: 'jwks', claims: { role: 'realm_access.roles', adminRoles: ['shop-admin'] } },
    corsOrigins: ['https://shop.example'],
    rateLimit: 600,
    tracesEndpoint: 'http://collector.example:4318',
  })
  expect(Object.keys(variables).filter((name) => !variablesOfConfig().includes(name))).toEqual([])
  const folder = mkdtempSync(join(tmpdir(), 'variables-'))
  try {
    writeFileSync(join(folder, '.env'), file)
    const command = /^ +(set -a.*); npm start$/m.exec(page)?.[1] ?? 'exit 1'
    const script = `${command}; ${process.execPath} -p 'JSON.stringify(process.env)'`
    const shell = execFileSync('sh', ['-c', script], { cwd: folder, env: {}, encoding: 'utf8' })
    expect(JSON.parse(shell)).toMatchObject(variables)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the page names what the container sets by itself', () => {
  const [, line = ''] = /^ENV (.*)$/m.exec(readPage('src/server/container/Dockerfile')) ?? []
  const set = line.split(' ').filter((variable) => !variable.startsWith('NODE_OPTIONS='))
  expect(set.length).toBeGreaterThan(3)
  expect(set.filter((variable) => !page.includes(`\`${variable}\``))).toEqual([])
})
