/** Release mutations: publish a catalog, and delete a release (release.is-a-snapshot). */
import { deleteRelease, publishRelease } from '../../operations/catalog/release.ts'
import { defineMutation } from '../schema/define-mutation.ts'
import { readId } from '../schema/ids.ts'
import { ReleaseRef } from './catalog-refs.ts'

defineMutation('publishRelease', {
  description:
    'Publishes a catalog as it is now. Readers see the new release whole once it is done; of the older ones only the newest are kept. Publishes run one after another.',
  right: 'admin',
  guard: 'idempotencyKey',
  input: (t) => ({ catalogId: t.id({ required: true, description: 'The global id or the UUID of the catalog.' }) }),
  result: { name: 'release', type: ReleaseRef, description: 'The new release.' },
  run: (ctx, { catalogId }, options) => publishRelease(ctx, { catalogId: readId('Catalog', catalogId, ['catalogId']) }, options),
})

defineMutation('deleteRelease', {
  description: 'Deletes a release for all readers. When it was the latest of its catalog, the one before it is the latest again.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  input: (t) => ({ releaseId: t.id({ required: true, description: 'The global id or the UUID of the release.' }) }),
  result: { name: 'release', type: ReleaseRef, description: 'The release that was deleted; its contents can no longer be read.' },
  run: (ctx, { releaseId }, options) => deleteRelease(ctx, { releaseId: readId('Release', releaseId, ['releaseId']) }, options),
})
