/** The subscription importJobChanged: how far an import by HTTP is, as it goes on (live.import-until-its-end). */
import { importJob, watchImport } from '../../operations/imports/import-job.ts'
import type { JobChange } from '../../persistence/imports/import-watch.ts'
import { builder } from '../schema/builder.ts'
import { globalId, readId, requiredId } from '../schema/ids.ts'
import { ImportJobRef } from './import-job.ts'

const ImportJobChangedRef = builder.objectRef<JobChange>('ImportJobChanged').implement({
  description: 'An import by HTTP began, went on or ended.',
  right: 'admin',
  fields: (t) => ({
    importJobId: t.id({
      description: 'The global id of the import.',
      resolve: ({ jobId }) => globalId('ImportJob', jobId),
    }),
    importJob: t.field({
      type: ImportJobRef,
      nullable: true,
      description: 'The import as it is now; null when it is gone.',
      resolve: ({ jobId }, _, ctx) => importJob(ctx, { id: jobId }),
    }),
  }),
})

builder.subscriptionField('importJobChanged', (t) =>
  t.field({
    type: ImportJobChangedRef,
    right: 'admin',
    description:
      'An import by HTTP: as it is, and then at most once a second as it goes on, whichever server runs it. The stream ends after the event of its end.',
    args: { id: t.arg.id(requiredId('import', '019c5b2e-0000-7000-8000-000000000001')) },
    subscribe: (_, { id }, ctx) => watchImport(ctx, { id: readId('ImportJob', id, ['id']) }),
    resolve: (change) => change,
  }),
)
