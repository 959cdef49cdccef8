/** Imports by HTTP, as jobs. For administrators only. */
import {
  countOf,
  type ImportJob,
  type JobCounts,
  type JobFormat,
  type JobState,
  OPEN_JOBS_MAX,
} from '../../domain/imports/import-job.ts'
import { DomainError } from '../../domain/input/errors.ts'
import { limitParams } from '../../domain/input/violation-params.ts'
import {
  importJob,
  importJobs,
  importPriceChangeCount,
  importPriceChanges,
} from '../../operations/imports/import-job.ts'
import type { BookPriceChange } from '../../persistence/imports/import-check.ts'
import { MoneyRef, toMoney } from '../pricing/money.ts'
import { withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import { defineConnection, pageArgs } from '../schema/connection.ts'
import { implementNode } from '../schema/node.ts'
import { datedOrderArgs, recordConnection } from '../schema/record-connection.ts'
import { wordEnum } from '../schema/word-enum.ts'

export const ImportJobRef = builder.objectRef<ImportJob>('ImportJob')
const ImportJobConnection = defineConnection(ImportJobRef, 'admin')

const stateWords: Readonly<Record<JobState, string>> = {
  uploading: 'Its file is on its way; a file that breaks off leaves no import.',
  uploaded: 'Its file is stored; `checkImport` tells what it would do, `startImport` starts it.',
  checking: 'Its check runs, or waits for those that were started before it.',
  checked: 'Its check has ended: counts, refused objects and prices are what `startImport` would do.',
  running: 'It was started: it runs, or waits for those that were started before it.',
  done: 'All objects have an outcome.',
  failed: 'It ended early; `failure` says why. What its batches stored stays.',
  canceled: '`cancelImport` ended it. What its batches stored stays.',
}
const ImportJobState = wordEnum('ImportJobState', 'What an import is doing.', stateWords)

const formatWords: Readonly<Record<JobFormat, string>> = {
  json: 'JSON objects.',
  csv: 'The rows of a CSV file.',
  xlsx: 'The rows of a workbook.',
}
const ImportFormat = wordEnum('ImportFormat', 'What the file of an import holds.', formatWords)

const ImportErrorPolicy = wordEnum('ImportErrorPolicy', 'What happens at a refused object of an import.', {
  stop: 'The import ends.',
  skip: 'The import goes on with the next.',
})

const ImportCountRef = builder.objectRef<JobCounts & { readonly type: string }>('ImportCount').implement({
  description: 'The objects of one type of an import, by outcome.',
  right: 'admin',
  fields: (t) => ({
    type: t.exposeString('type', { description: 'The type in the file, such as `product`.' }),
    createdCount: t.exposeInt('created', { description: 'How many were created.' }),
    updatedCount: t.exposeInt('updated', { description: 'How many were changed.' }),
    unchangedCount: t.exposeInt('unchanged', { description: 'How many were as given already.' }),
    refusedCount: t.exposeInt('refused', { description: 'How many were refused.' }),
  }),
})

/** The maximum number of changes of prices in one response. */
const PRICES_MAX = 1_000

function assertOffset(offset: number): void {
  if (offset >= 0) return
  const params = limitParams(0, null)
  throw new DomainError('badRequest', [
    { code: 'OUT_OF_RANGE', path: ['offset'], message: 'must be at least 0', params },
  ])
}

const ImportPriceChangeRef = builder.objectRef<BookPriceChange>('ImportPriceChange').implement({
  description:
    'A price of one unit that an import would change, at the instant of its check: that of a price record with its sales.',
  right: 'admin',
  fields: (t) => ({
    book: t.exposeString('book', { description: 'The name of the price book.' }),
    sku: t.exposeString('sku', { description: 'The SKU.' }),
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'The currency.' }),
    before: t.field({
      type: MoneyRef,
      nullable: true,
      description: 'The price without the import; null without one.',
      resolve: ({ before, currency }) => toMoney(before, currency),
    }),
    after: t.field({
      type: MoneyRef,
      nullable: true,
      description: 'The price with the import; null without one.',
      resolve: ({ after, currency }) => toMoney(after, currency),
    }),
  }),
})

implementNode(ImportJobRef, {
  description: 'A file that was sent to be imported (`POST /imports`), and how far it is. It is kept for 30 days.',
  right: 'admin',
  load: (id, ctx) => importJob(ctx, { id }),
  rootField: { name: 'importJob', noun: 'import', description: 'One import by HTTP; null when there is none.' },
  fields: (t) => ({
    author: t.exposeString('author', {
      description: 'The subject of the token that sent the file, in whose name it is imported.',
    }),
    fileName: t.exposeString('fileName', { description: 'The name by which problems call the file.' }),
    format: t.expose('format', { type: ImportFormat, description: 'What the file holds.' }),
    byteCount: t.exposeInt('bytes', { description: 'The bytes of the file as it was sent.' }),
    onError: t.field({
      type: ImportErrorPolicy,
      description: 'What happens at a refused object.',
      resolve: ({ options }) => options.onError,
    }),
    ignoresUnknown: t.boolean({
      description: 'Whether members that an object can not have are left out; otherwise it is refused.',
      resolve: ({ options }) => options.ignoreUnknown,
    }),
    rowType: t.string({
      nullable: true,
      description: 'What the rows of a sheet are, as it was given; null when its columns tell it.',
      resolve: ({ options }) => options.type,
    }),
    book: t.string({
      nullable: true,
      description: 'The price book of prices in a sheet, by name or id, as it was given.',
      resolve: ({ options }) => options.book,
    }),
    state: t.expose('state', { type: ImportJobState, description: 'What it is doing.' }),
    failure: t.exposeString('failure', {
      nullable: true,
      description: 'Why it failed, or after a check why it would.',
    }),
    counts: t.field({
      type: [ImportCountRef],
      description: 'The objects with an outcome, by type, as the last batch stored them; of a check as it would.',
      resolve: ({ progress }) => Object.entries(progress?.counts ?? {}).map(([type, of]) => ({ type, ...of })),
    }),
    handledCount: t.int({
      description: 'How many objects have an outcome.',
      resolve: (job) => countOf(job, ['created', 'updated', 'unchanged', 'refused']),
    }),
    refusedCount: t.int({
      description: 'How many objects were refused.',
      resolve: (job) => countOf(job, ['refused']),
    }),
    refusedPath: t.string({
      nullable: true,
      description: 'The path at which the refused objects can be fetched, to be corrected; null when there are none.',
      resolve: ({ id, progress }) => (progress && progress.refusedBytes > 0 ? `/imports/${id}/refused` : null),
    }),
    priceChangeCount: t.int({
      description: 'How many prices its check found to change, each currency for itself.',
      resolve: ({ id }, _, ctx) => importPriceChangeCount(ctx, { id }),
    }),
    priceChanges: t.field({
      type: [ImportPriceChangeRef],
      description: `The prices that its check found to change, by book, SKU and currency; at most ${PRICES_MAX} from \`offset\` on.`,
      args: {
        offset: t.arg.int({
          required: true,
          defaultValue: 0,
          description: `How many to leave out at the start, such as ${PRICES_MAX} for the second response.`,
          ...withReader(({ offset }: { offset: number }) => assertOffset(offset)),
        }),
      },
      resolve: ({ id }, { offset }, ctx) => {
        assertOffset(offset)
        return importPriceChanges(ctx, { id, offset, limit: PRICES_MAX })
      },
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it or its check was started.',
    }),
    endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true, description: 'When it ended.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When its file began to arrive.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
})

builder.queryFields((t) => ({
  importJobs: t.field({
    type: ImportJobConnection,
    right: 'admin',
    description: `All imports by HTTP, oldest first. At most ${OPEN_JOBS_MAX} of a store have not ended.`,
    args: { ...pageArgs, ...datedOrderArgs },
    resolve: (_, args, ctx) => recordConnection(ctx, args, [], importJobs),
  }),
}))
