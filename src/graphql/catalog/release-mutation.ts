/**
 * Release mutations: publish a catalog; schedule, withdraw, restore, name and delete its releases
 * (release.is-a-snapshot).
 */
import type { Path } from '../../domain/input/errors.ts'
import { FREE_NAME_MAX, SCHEDULE_DAYS_MAX } from '../../domain/input/limits.ts'
import { PART_MAX } from '../../operations/catalog/partial-publish.ts'
import { deleteRelease, publishRelease } from '../../operations/catalog/release.ts'
import { updateRelease } from '../../operations/catalog/release-name.ts'
import { restoreRelease, withdrawRelease } from '../../operations/catalog/release-schedule.ts'
import { builder } from '../schema/builder.ts'
import { defineMutation } from '../schema/define-mutation.ts'
import { parseGlobalId, readId } from '../schema/ids.ts'
import { ReleaseRef } from './catalog-refs.ts'

const atDescription = `The instant, at most ${SCHEDULE_DAYS_MAX} days ahead, at which it becomes the latest by itself, to the millisecond on every server;`

const carryDescription =
  'Whether scheduled releases get what this changes in the latest release. A field that they have changed themselves stays as it is there. It makes no difference with `at`.'

const nameDescription = `What administrators call the release, such as "Christmas", 1 to ${FREE_NAME_MAX} characters, not blank; several may have one name.`

const PublishOnlyInput = builder.inputType('PublishOnlyInput', {
  description: 'The records that are published alone; name one at least.',
  fields: (t) => ({
    products: t.idList({
      description: `Global ids or UUIDs of products, at most ${PART_MAX}: their texts, prices, nodes and all else. One that is live no more goes.`,
    }),
    nodes: t.idList({
      description: `Global ids or UUIDs of hierarchies and nodes, at most ${PART_MAX}: their texts, place and curated products. One that is deleted goes.`,
    }),
  }),
})

function readPart({ products, nodes }: typeof PublishOnlyInput.$inferInput) {
  const nodeId = (id: string, path: Path) =>
    readId(parseGlobalId(id)?.type === 'Hierarchy' ? 'Hierarchy' : 'HierarchyNode', id, path)
  return {
    products: (products ?? []).map((id, at) => readId('Product', String(id), ['only', 'products', at])),
    nodes: (nodes ?? []).map((id, at) => nodeId(String(id), ['only', 'nodes', at])),
  }
}

defineMutation('publishRelease', {
  description:
    'Publishes a catalog as it is now. Readers see the new release whole once it is done, or from a later instant on; of the older ones only the newest are kept, and those that are scheduled or were restored. At once it carries what it changes into scheduled releases (`carries` of the release). Publishes run one after another.',
  right: 'admin',
  guard: 'idempotencyKey',
  target: { type: 'Catalog', noun: 'catalog', member: 'catalogId' },
  input: (t) => ({
    at: t.field({ type: 'DateTime', description: `${atDescription} by default it does once it is published.` }),
    carry: t.boolean({ defaultValue: true, description: carryDescription }),
    dryRun: t.boolean({
      defaultValue: false,
      description: 'Whether to publish nothing, and to return as a draft what would be published.',
    }),
    fromDraft: t.id({
      description:
        'The global id or the UUID of the draft, to publish exactly what it shows; when a publish would show something else by now (STALE), or the same but other releases are scheduled (SCHEDULES_CHANGED), nothing is published, and the draft of now is returned.',
    }),
    name: t.string({ description: `${nameDescription} A draft has none.` }),
    only: t.field({
      type: PublishOnlyInput,
      description:
        'Publishes these records alone, as they are now: all else stays as in the latest release, with the warnings of that. For a correction that should not wait for what others are preparing. Of a `dryRun` nothing but the counts, `carries` and `warnings` can be read.',
    }),
  }),
  result: { name: 'release', type: ReleaseRef, description: 'The new release, or with `dryRun` the draft.' },
  run: (ctx, { id, input: { at, carry, dryRun, fromDraft, name, only } }, options) =>
    publishRelease(
      ctx,
      {
        catalogId: id,
        ...(at != null && { at }),
        ...(carry === false && { carry }),
        ...(dryRun && { dryRun }),
        ...(fromDraft != null && { fromDraft: readId('Release', fromDraft, ['fromDraft']) }),
        ...(name != null && { name }),
        ...(only && { only: readPart(only) }),
      },
      options,
    ),
})

defineMutation('restoreRelease', {
  description:
    'Makes a published release the latest of its catalog, now or at a later instant: an older one again, or a scheduled one earlier or at another instant. Nothing is deleted, and its id stays. Now it carries what it changes into scheduled releases (`carries` of the release). What is edited shows in the next publish, as ever.',
  right: 'admin',
  guard: 'idempotencyKey',
  target: { type: 'Release', noun: 'release', member: 'releaseId' },
  input: (t) => ({
    at: t.field({
      type: 'DateTime',
      description: `${atDescription} by default it does now. It takes the place of an instant set before.`,
    }),
    carry: t.boolean({ defaultValue: true, description: carryDescription }),
    dryRun: t.boolean({
      defaultValue: false,
      description: 'Whether to change nothing, and to return the release with what it would carry.',
    }),
  }),
  result: { name: 'release', type: ReleaseRef, description: 'The release.' },
  run: (ctx, { id, input: { at, carry, dryRun } }, options) =>
    restoreRelease(
      ctx,
      { releaseId: id, ...(at != null && { at }), ...(carry === false && { carry }), ...(dryRun && { dryRun }) },
      options,
    ),
})

defineMutation('withdrawRelease', {
  description:
    'Takes back that a release becomes the latest at an instant, before that has come. A release that shoppers could never read is deleted with it; one that was restored for later stays.',
  right: 'admin',
  guard: 'idempotencyKey',
  target: { type: 'Release', noun: 'release', member: 'releaseId' },
  result: {
    name: 'release',
    type: ReleaseRef,
    description: 'The release as it was; its contents can no longer be read when it was deleted.',
  },
  run: (ctx, { id }, options) => withdrawRelease(ctx, { releaseId: id }, options),
})

defineMutation('updateRelease', {
  description:
    'Changes the name of a release that was published, whether it is scheduled, the latest or an older one. What it holds never changes.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'Release', noun: 'release' },
  input: (t) => ({
    name: t.string({ description: `${nameDescription} Absent keeps it, null takes it away.` }),
  }),
  result: { name: 'release', type: ReleaseRef, description: 'The release after the change.' },
  run: (ctx, { id, data }, options) => updateRelease(ctx, { id, data }, options),
})

defineMutation('deleteRelease', {
  description:
    'Deletes a release for all readers. When it was the latest of its catalog, the one that was so before is the latest again; when it was scheduled, it never is.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'Release', noun: 'release', member: 'releaseId' },
  result: {
    name: 'release',
    type: ReleaseRef,
    description: 'The release that was deleted; its contents can no longer be read.',
  },
  run: (ctx, { id }, options) => deleteRelease(ctx, { releaseId: id }, options),
})
