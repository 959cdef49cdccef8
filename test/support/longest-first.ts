/** Order of the test files: the longest first, so that the run does not end with one worker waiting for another. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files that take several seconds each, the longest first. vitest alone begins with the largest files where it has no durations of an
 * earlier run, as in a fresh clone, and these are small: their time is that of the programs that they start.
 */
const longest = [
  // Imports a tree of 4,584 categories before its first test, with the sample data alone.
  'test/operations/catalog/category-tree.test.ts',
  'test/system/crash.e2e.ts',
  // On PostgreSQL alone.
  'test/persistence/database/read-replicas.e2e.ts',
  'test/server/database-away.e2e.ts',
  'test/persistence/database/connection-lost.test.ts',
  'test/server/nginx.e2e.ts',
  'test/import/main.e2e.ts',
  'test/persistence/changes/sale-clock.test.ts',
  'test/graphql/catalog/draft.test.ts',
  'test/persistence/database/embedded.e2e.ts',
  'test/graphql/server/guards.test.ts',
  'test/main.e2e.ts',
  'test/graphql/live.test.ts',
  'test/server/in-flight-requests.test.ts',
  'test/export/export.test.ts',
  'test/system/load.e2e.ts',
  'test/operations/pricing/campaign-race.test.ts',
  'test/graphql/catalog/release-published.test.ts',
  'test/system/rights-sweep.test.ts',
  'test/graphql/catalog/walk-by-price-random.test.ts',
  'test/system/campaign-crash.e2e.ts',
  'test/server/connections.test.ts',
  'test/server/monitoring/traces.test.ts',
  'test/server/webhooks/delivery.test.ts',
  'test/system/production.e2e.ts',
  'test/graphql/catalog/sale-turned.test.ts',
  'test/server/webhooks/post.test.ts',
  'test/tools/prepare.e2e.ts',
  'test/server/configured.e2e.ts',
  'test/system/webhook-crash.e2e.ts',
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
