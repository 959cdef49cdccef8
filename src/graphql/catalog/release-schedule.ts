/**
 * Release schedules: the status of a release, and which releases become the latest later
 * (release.scheduled-at-its-millisecond).
 */
import { isInEffect, scheduleOf } from '../../domain/catalog/release-activation.ts'
import type { AnyRelease } from '../../domain/catalog/release-view.ts'
import { activationsOf } from '../../operations/catalog/published-catalog.ts'
import type { Context } from '../../request/context.ts'
import { builder } from '../schema/builder.ts'
import { wordEnum } from '../schema/word-enum.ts'
import { CatalogRef, ReleaseRef } from './catalog-refs.ts'

export const ReleaseStatusEnum = wordEnum(
  'ReleaseStatus',
  'How far a publish has come. Shoppers see published releases only.',
  {
    publishing: 'It is being published.',
    scheduled: 'It becomes the latest at an instant, and is for administrators until then.',
    published: 'It can be read.',
    carried:
      'It was scheduled, and another release has its place now, with what was published since: `carriedInto`. Administrators read it for another 24 hours.',
    failed: 'The publish failed; it can never be read.',
    draft: 'Nobody published it: it shows administrators what a publish would show.',
  },
)

builder.objectFields(ReleaseRef, (t) => ({
  status: t.field({
    type: ReleaseStatusEnum,
    description: 'How far the publish has come.',
    resolve: (one, _, ctx) => statusOf(one, ctx),
  }),
  scheduledFor: t.field({
    type: 'DateTime',
    nullable: true,
    right: 'admin',
    description:
      'The instant for which it is scheduled to become the latest of its catalog, published or restored; once it has come, the one for which it was. Null when it became the latest at once.',
    resolve: (one, _, ctx) => scheduleOf(activationsOf(ctx, one), ctx.releaseReader.now),
  }),
}))

builder.objectField(CatalogRef, 'scheduledReleases', (t) =>
  t.field({
    type: [ReleaseRef],
    right: 'admin',
    description:
      'The releases that become the latest later, at most 20, the next one first. At their instants shoppers see one after the other.',
    resolve: async ({ id }, _, { loaders }) => [...(await loaders.scheduledReleasesByCatalogId.load(id))],
  }),
)

async function statusOf(one: AnyRelease, ctx: Context) {
  const activations = activationsOf(ctx, one)
  const isPublic = activations.some((activation) => isInEffect(activation, ctx.releaseReader.now))
  if (one.status !== 'published') return one.status
  if (activations.length > 0) return isPublic ? 'published' : 'scheduled'
  const into = one.carriedInto ?? (await ctx.loaders.releaseSummaryById.load(one.id))?.carriedInto
  return into == null ? 'published' : 'carried'
}
