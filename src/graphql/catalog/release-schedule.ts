/** Release schedules: the status of a release, and which releases become the latest later (release.scheduled-at-its-millisecond). */
import { Release } from '../../domain/catalog/release.ts'
import { isInEffect, scheduleOf } from '../../domain/catalog/release-activation.ts'
import { activationsOf, type ReleaseOrSummary } from '../../operations/catalog/published-catalog.ts'
import type { Context } from '../../request/context.ts'
import { builder } from '../schema/builder.ts'
import { wordEnum } from '../schema/word-enum.ts'
import { CatalogRef, ReleaseRef } from './catalog-refs.ts'

export const ReleaseStatusEnum = wordEnum('ReleaseStatus', 'How far a publish has come. Shoppers see published releases only.', {
  publishing: 'It is being published.',
  scheduled: 'It becomes the latest at an instant, and is for administrators until then.',
  published: 'It can be read.',
  failed: 'The publish failed; it can never be read.',
  draft: 'Nobody published it: it shows administrators what a publish would show.',
})

builder.objectFields(ReleaseRef, (t) => ({
  status: t.field({ type: ReleaseStatusEnum, description: 'How far the publish has come.', resolve: (one, _, ctx) => statusOf(one, ctx) }),
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

function statusOf(one: ReleaseOrSummary, ctx: Context) {
  if (one instanceof Release && one.isDraft) return 'draft'
  const status = one instanceof Release ? 'published' : one.status
  const activations = activationsOf(ctx, one)
  const isPublic = activations.length === 0 || activations.some((activation) => isInEffect(activation, ctx.releaseReader.now))
  return status === 'published' && !isPublic ? 'scheduled' : status
}
