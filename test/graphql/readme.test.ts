import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('the typed query of src/graphql/clients.md is part of the file that is compiled and run (test/typed/client.test.ts)', () => {
  const page = readFileSync(new URL('../../src/graphql/clients.md', import.meta.url), 'utf8')
  const source = readFileSync(new URL('../typed/client/storefront.ts', import.meta.url), 'utf8')
  const [, section = ''] = page.split(/^## gql\.tada$/m)
  const [, block = ''] = /^```ts\n([\s\S]*?)^```/m.exec(section) ?? []
  expect(block).toContain('= graphql(`')
  expect(source).toContain(block)
})
