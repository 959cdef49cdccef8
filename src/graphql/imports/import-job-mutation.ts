/** Mutations of imports by HTTP: check, start and cancel. */
import { cancelImport, checkImport, startImport } from '../../operations/imports/import-job.ts'
import { defineMutation } from '../schema/define-mutation.ts'
import { ImportJobRef } from './import-job.ts'

const target = { type: 'ImportJob', noun: 'import' } as const

defineMutation('checkImport', {
  description:
    'Tells what an import whose file was sent by `POST /imports` would do, and stores nothing of it: counts, refused objects and prices that change. It can be repeated, and has its turn like an import.',
  right: 'admin',
  guard: 'idempotencyKey',
  target,
  result: { name: 'importJob', type: ImportJobRef, description: 'The import after the start of its check.' },
  run: (ctx, { id }, options) => checkImport(ctx, { id }, options),
})

defineMutation('startImport', {
  description:
    'Starts an import whose file was sent by `POST /imports`, checked or not. One import runs at a time; it goes on when a server ends.',
  right: 'admin',
  guard: 'idempotencyKey',
  target,
  result: { name: 'importJob', type: ImportJobRef, description: 'The import after the start.' },
  run: (ctx, { id }, options) => startImport(ctx, { id }, options),
})

defineMutation('cancelImport', {
  description: 'Ends an import, started or not. What its batches stored stays; its file goes.',
  right: 'admin',
  guard: 'idempotencyKey',
  target,
  result: { name: 'importJob', type: ImportJobRef, description: 'The import after its end.' },
  run: (ctx, { id }, options) => cancelImport(ctx, { id }, options),
})
