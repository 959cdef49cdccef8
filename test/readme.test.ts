import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { violationCodes } from '../src/domain/errors.ts'
import { loadDemo } from '../src/import/demo.ts'
import { projectRoot } from '../src/root.ts'
import { useDatabase } from './support/database.ts'
import { useServer } from './support/server.ts'

const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8')

function blocks(language: string): string[] {
  const block = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm')
  return [...readme.matchAll(block)].map((match) => match[1] ?? '')
}

describe('README', () => {
  const database = useDatabase()
  const server = useServer(database)
  beforeAll(async () => {
    await loadDemo(server.services)
  })

  it('lists every code that a client can meet, with its meaning', () => {
    const rows = Object.entries(violationCodes).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`)
    const table = /^\| code \| meaning \|\n\|---\|---\|\n([\s\S]*?)\n\n/m.exec(readme)?.[1]
    expect(table?.split('\n')).toEqual(rows)
  })

  it('its curl lines answer on the demo store as they are typed', async () => {
    const [preparation = '', ...calls] = blocks('sh')
    expect(calls).toHaveLength(5)
    for (const call of calls) {
      const script = `${preparation.replace('http://127.0.0.1:4000', server.url)}\n${call}`
      const { stdout } = await promisify(execFile)('bash', ['-c', script])
      expect(JSON.parse(stdout), call).toHaveProperty('data')
    }
  })

  it('its GraphQL answers on the demo store without errors', async () => {
    const documents = blocks('graphql')
    expect(documents).toHaveLength(5)
    for (const document of documents) {
      const answer = await server.gql(document)
      expect(answer.errors, document).toBeUndefined()
      for (const payload of Object.values<{ userErrors?: unknown[] }>(answer.data)) expect(payload.userErrors ?? []).toEqual([])
    }
  })

  it('its typed query is part of the file that is compiled and run (test/typed/client.test.ts)', () => {
    const source = readFileSync(join(projectRoot, 'test/typed/client/storefront.ts'), 'utf8')
    const [block = '', ...others] = blocks('ts')
    expect(others).toEqual([])
    expect(block).toContain('= graphql(`')
    expect(source).toContain(block)
  })

  it('names every variable of the configuration', () => {
    const source = readFileSync(join(projectRoot, 'src/config.ts'), 'utf8')
    const variables = new Set([...source.matchAll(/env\.\w+\('([A-Z_]+)'/g)].map((match) => match[1] ?? ''))
    expect(variables.size).toBeGreaterThan(15)
    expect([...variables].filter((name) => !readme.includes(`\`${name}\``))).toEqual([])
  })
})
