/** Release schedules: the status of a release, and which releases become the latest later (release.scheduled-at-its-millisecond). */
import { Release } from '../../domain/catalog/release.ts'
import { isInEffect, scheduledFor } from '../../domain/catalog/release-activation.ts'
import { activationsOf, type ReleaseOrSummary } from '../../operations/catalog/published-catalog.ts'
import type { Context } from '../../request/context.ts'
import { builder } from '../schema/builder.ts'
import { CatalogRef, ReleaseRef } from './catalog-refs.ts'

export const ReleaseStatusEnum = builder.enumType('ReleaseStatus', {
  description: 'How far a publish has come. Shoppers see published releases only.',
  values: {
    PUBLISHING: { value: 'publishing', description: 'It is being published.' },
    SCHEDULED: { value: 'scheduled', description: 'It becomes the latest at an instant, and is for administrators until then.' },
    PUBLISHED: { value: 'published', description: 'It can be read.' },
    FAILED: { value: 'failed', description: 'The publish failed; it can never be read.' },
    DRAFT: { value: 'draft', description: 'Nobody published it: it shows administrators what a publish would show.' },
  },
} as const)

builder.objectFields(ReleaseRef, (t) => ({
  status: t.field({ type: ReleaseStatusEnum, description: 'How far the publish has come.', resolve: (one, _, ctx) => statusOf(one, ctx) }),
  scheduledFor: t.field({
    type: 'DateTime',
    nullable: true,
    right: 'admin',
    description: 'The instant at which it becomes the latest of its catalog, published or restored; null when it is not scheduled.',
    resolve: (one, _, ctx) => scheduledFor(activationsOf(ctx, one), ctx.releaseReader.now),
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
