import { expect, test } from 'vitest'
import { startupBanner } from '../../src/server/startup-banner.ts'

test('the start’s banner names GraphiQL, the console and the docs', async () => {
  const banner = await startupBanner('http://localhost:4000', null, 0)
  expect(banner.split('\n').filter((line) => /^\w+ +http:\S+$/.test(line))).toEqual([
    'Address        http://localhost:4000',
    'GraphiQL       http://localhost:4000/graphql',
    'Console        http://localhost:4000/explore',
    'Docs           http://localhost:4000/docs',
  ])
})
