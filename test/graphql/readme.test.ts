import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('the typed query of src/graphql/README.md is part of the file that is compiled and run (test/typed/client.test.ts)', () => {
  const readme = readFileSync(new URL('../../src/graphql/README.md', import.meta.url), 'utf8')
  const source = readFileSync(new URL('../typed/client/storefront.ts', import.meta.url), 'utf8')
  const [block = '', ...others] = [...readme.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map((match) => match[1] ?? '')
  expect(others).toEqual([])
  expect(block).toContain('= graphql(`')
  expect(source).toContain(block)
})
