/** Order of the test files: the longest first, so that the run does not end with one worker waiting for another. */
import type { TestSpecification } from 'vitest/node'
import { Bundling } from './bundle.ts'

/**
 * Files that take several seconds each, the longest first. vitest alone begins with the largest files where it has no
 * durations of an earlier run, as in a fresh clone, and these are small: their time is that of the programs that they
 * start.
 */
const longest = [
  // With TEST_EFFORT=1, and those of the rules in .ci/run.
  'test/domain/subscriptions/random-lives.test.ts',
  'test/graphql/server/compiled-random.test.ts',
  'test/persistence/catalog/partial-publish-random.test.ts',
  'test/graphql/catalog/lowest-prior-reductions.test.ts',
  'test/domain/pricing/lowest-prior-oracle.test.ts',
  'test/persistence/catalog/carry-random.test.ts',
  'test/domain/subscriptions/billing-window.test.ts',
  'test/domain/pricing/price-spans.test.ts',
  'test/import/price-sheet.test.ts',
  'test/import/product-sheet.test.ts',
  'test/import/node-sheet.test.ts',
  'test/import/subscription-sheet.test.ts',
  'test/graphql/catalog/product-order-random.test.ts',
  'test/graphql/catalog/price-change-random.test.ts',
  'test/graphql/catalog/release-changes.test.ts',
  'test/persistence/catalog/price-columns.test.ts',
  // Imports a tree of 4,584 categories before its first test, with the sample data alone.
  'test/operations/catalog/category-tree.test.ts',
  'test/system/crash.e2e.ts',
  // These start many programs, one after another.
  'test/guides/backup-and-upgrade.e2e.ts',
  'test/import/main.e2e.ts',
  'test/server/imports/check.test.ts',
  'test/guides/production.e2e.ts',
  'test/export/main.e2e.ts',
  'test/server/schemas.e2e.ts',
  'test/server/imports/runner.test.ts',
  // On PostgreSQL alone.
  'test/persistence/database/read-replicas.e2e.ts',
  'test/server/database-away.e2e.ts',
  'test/persistence/database/connection-lost.test.ts',
  'test/server/nginx.e2e.ts',
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
  'test/persistence/catalog/scale.test.ts',
  'test/graphql/null-is-absence.test.ts',
  'test/server/webhooks/post.test.ts',
  'test/tools/prepare.e2e.ts',
  'test/server/configured.e2e.ts',
  'test/system/webhook-crash.e2e.ts',
]

export class LongestFirst extends Bundling {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = longest.findIndex((file) => moduleId.endsWith(`/${file}`))
      return at < 0 ? longest.length : at
    }
    return (await super.sort(files)).sort((left, right) => rank(left) - rank(right))
  }
}
