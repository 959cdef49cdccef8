/** Order of the test files: the longest first, so that the run does not end with one worker waiting for another. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take several seconds each, the longest first. vitest alone begins with the largest files where it has no durations of an
 * earlier run, as in a fresh clone, and these are small: their time is that of the programs that they start.
 */
const longest = [
  'test/system/crash.test.ts',
  'test/system/production.test.ts',
  // On PostgreSQL alone.
  'test/persistence/database/read-replicas.test.ts',
  'test/server/database-away.test.ts',
  'test/persistence/database/connection-lost.test.ts',
  'test/persistence/database/embedded.test.ts',
  'test/system/load.test.ts',
  'test/persistence/catalog/publish.test.ts',
  'test/persistence/catalog/price-columns.test.ts',
  'test/import/main.test.ts',
  'test/main.test.ts',
  'test/operations/catalog/category-tree.test.ts',
  'test/domain/pricing/price-property.test.ts',
  'test/graphql/catalog/draft.test.ts',
  'test/export/export.test.ts',
  'test/system/campaign-crash.test.ts',
  'test/operations/pricing/campaign-race.test.ts',
  'test/server/nginx.test.ts',
  'test/tools/prepare.test.ts',
  'test/graphql/server/guards.test.ts',
  'test/system/rights-sweep.test.ts',
  'test/server/configured.test.ts',
  'test/server/in-flight-requests.test.ts',
  'test/persistence/database/drift.test.ts',
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = longest.findIndex((file) => moduleId.endsWith(`/${file}`))
      return at < 0 ? longest.length : at
    }
    return (await super.sort(files)).sort((left, right) => rank(left) - rank(right))
  }
}
