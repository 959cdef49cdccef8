/** What `npm test` prints at the end of a run. */
import { expect, test } from 'vitest'
import { notRunLines, rerunCommand } from './support/brief-reporter.ts'

test('a run ends with a line for each reason why tests did not run, and with the tests that give none', () => {
  const titles = [
    'a feed [needs PostgreSQL]',
    '[needs PostgreSQL] > a disk that is full',
    'the files [needs sample data]',
    'a pool [needs PgBouncer]',
    'a price',
  ]
  expect(notRunLines(titles)).toEqual([
    expect.stringMatching(/^Not run \(2\), since PostgreSQL is needed: set DATABASE_URL/),
    'Not run (1), since files of real data are needed: set SAMPLE_DATA_DIR',
    'Not run (1), since PgBouncer is needed: apt-get install pgbouncer',
    'Not run, for no reason that its title gives: a price',
  ])
  expect(notRunLines([])).toEqual([])
})

test('the command that runs failed files again names the variable of the database, never its address', () => {
  expect(rerunCommand(['test/a.test.ts', 'test/b.test.ts'], undefined)).toBe(
    'npx vitest run -c test/vitest.config.ts test/a.test.ts test/b.test.ts',
  )
  expect(rerunCommand(['test/a.test.ts'], 'postgres://admin:secret@db/shop')).toBe(
    'DATABASE_URL=$DATABASE_URL npx vitest run -c test/vitest.config.ts test/a.test.ts',
  )
})
