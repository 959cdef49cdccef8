/** The record of a release, for fields that its contents lack. */
import type { ReleaseSummary } from '../../domain/catalog/release-summary.ts'
import type { AnyRelease } from '../../domain/catalog/release-view.ts'
import { releaseNotFound } from '../../operations/catalog/page.ts'
import type { Context } from '../../request/context.ts'

/** The whole record of a release, which one of a list or a write has. Throws when the release is gone. */
export async function summaryOf(one: AnyRelease, { loaders }: Context): Promise<ReleaseSummary> {
  if (isWhole(one)) return one
  const summary = await loaders.releaseSummaryById.load(one.id)
  if (!summary) throw releaseNotFound()
  return summary
}

const isWhole = (one: AnyRelease): one is ReleaseSummary => one.name !== undefined && one.warningCount !== undefined
