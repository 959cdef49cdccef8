/** Release mutations: publish a catalog; schedule, withdraw, restore and delete its releases (release.is-a-snapshot). */
import { SCHEDULE_DAYS_MAX } from '../../domain/input/limits.ts'
import { deleteRelease, publishRelease } from '../../operations/catalog/release.ts'
import { restoreRelease, withdrawRelease } from '../../operations/catalog/release-schedule.ts'
import { defineMutation } from '../schema/define-mutation.ts'
import { readId } from '../schema/ids.ts'
import { ReleaseRef } from './catalog-refs.ts'

const atDescription = `The instant, at most ${SCHEDULE_DAYS_MAX} days ahead, at which it becomes the latest by itself, to the millisecond on every server;`

defineMutation('publishRelease', {
  description:
    'Publishes a catalog as it is now. Readers see the new release whole once it is done, or from a later instant on; of the older ones only the newest are kept, and those that are scheduled or were restored. Publishes run one after another.',
  right: 'admin',
  guard: 'idempotencyKey',
  target: { type: 'Catalog', noun: 'catalog', member: 'catalogId' },
  input: (t) => ({
    at: t.field({ type: 'DateTime', description: `${atDescription} by default it does once it is published.` }),
    dryRun: t.boolean({
      defaultValue: false,
      description: 'Whether to publish nothing, and to return as a draft what would be published.',
    }),
    fromDraft: t.id({
      description:
        'The global id or the UUID of the draft, to publish exactly what it shows; when a publish would show something else by now, nothing is published, and the draft of now is returned (STALE).',
    }),
  }),
  result: { name: 'release', type: ReleaseRef, description: 'The new release, or with `dryRun` the draft.' },
  run: (ctx, { id, input: { at, dryRun, fromDraft } }, options) =>
    publishRelease(
      ctx,
      {
        catalogId: id,
        ...(at != null && { at }),
        ...(dryRun && { dryRun }),
        ...(fromDraft != null && { fromDraft: readId('Release', fromDraft, ['fromDraft']) }),
      },
      options,
    ),
})

defineMutation('restoreRelease', {
  description:
    'Makes a published release the latest of its catalog, now or at a later instant: an older one again, or a scheduled one earlier or at another instant. Nothing is deleted, and its id stays. What is edited shows in the next publish, as ever.',
  right: 'admin',
  guard: 'idempotencyKey',
  target: { type: 'Release', noun: 'release', member: 'releaseId' },
  input: (t) => ({
    at: t.field({ type: 'DateTime', description: `${atDescription} by default it does now. It takes the place of an instant set before.` }),
  }),
  result: { name: 'release', type: ReleaseRef, description: 'The release.' },
  run: (ctx, { id, input: { at } }, options) => restoreRelease(ctx, { releaseId: id, ...(at != null && { at }) }, options),
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

defineMutation('deleteRelease', {
  description:
    'Deletes a release for all readers. When it was the latest of its catalog, the one that was so before is the latest again; when it was scheduled, it never is.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'Release', noun: 'release', member: 'releaseId' },
  result: { name: 'release', type: ReleaseRef, description: 'The release that was deleted; its contents can no longer be read.' },
  run: (ctx, { id }, options) => deleteRelease(ctx, { releaseId: id }, options),
})
