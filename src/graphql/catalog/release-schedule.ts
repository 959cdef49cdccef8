/** Release schedules: the status of a release, and which releases become the latest later (release.scheduled-at-its-millisecond). */
import { Release } from '../../domain/catalog/release.ts'
import { type Activation, isInEffect, scheduledFor } from '../../domain/catalog/release-activation.ts'
import type { ReleaseOrSummary } from '../../operations/catalog/published-catalog.ts'
import type { Context } from '../../request/context.ts'
import { builder } from '../schema/builder.ts'
import { CatalogRef, ReleaseRef } from './catalog-refs.ts'

const ReleaseStatusEnum = builder.enumType('ReleaseStatus', {
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
    resolve: (one, _, ctx) => scheduledFor(activationsOf(one, ctx), instantOf(ctx)),
  }),
}))

builder.objectField(CatalogRef, 'scheduledReleases', (t) =>
  t.field({
    type: [ReleaseRef],
    right: 'admin',
    description: 'The releases that become the latest later, the next one first. At their instants shoppers see one after the other.',
    resolve: async ({ id }, _, { loaders }) => [...(await loaders.scheduledReleasesByCatalogId.load(id))],
  }),
)

/** The activations of a release. Those of a release that was read are known with it. */
function activationsOf(one: ReleaseOrSummary, { releases }: Context): readonly Activation[] {
  return one instanceof Release ? releases.activationsOf(one.id) : one.activations
}

/** The instant of the request, which @inContext may move to one that is to come. */
function instantOf({ loaders }: Context): number {
  return loaders.releases.reader.now
}

function statusOf(one: ReleaseOrSummary, ctx: Context) {
  if (one instanceof Release && one.isDraft) return 'draft'
  const status = one instanceof Release ? 'published' : one.status
  const activations = activationsOf(one, ctx)
  const isPublic = activations.length === 0 || activations.some((activation) => isInEffect(activation, instantOf(ctx)))
  return status === 'published' && !isPublic ? 'scheduled' : status
}
