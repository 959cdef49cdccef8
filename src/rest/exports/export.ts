/** Export route: the store, its subscriptions or a sheet, as it is stored now. */
import { DomainError } from '../../domain/input/errors.ts'
import { beginExport } from '../../export/begun-export.ts'
import type { ExportOptions } from '../../export/store-export.ts'
import { sheetTypes } from '../../import/arguments.ts'
import type { RecordSheetType } from '../../import/sheet/record-sheets.ts'
import { type OptionParameters, optionViolations } from '../http/options.ts'
import type { Route } from '../http/route.ts'
import type { fileTypes } from '../imports/import-file.ts'

/** The formats, and the media types of what is sent. */
const mediaTypes = {
  jsonl: 'application/x-ndjson',
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const satisfies Readonly<Record<string, keyof typeof fileTypes>>

const parameters: OptionParameters = {
  format: {
    words: Object.keys(mediaTypes),
    description: 'What is sent: the store as JSON objects, one per line, the default, or a sheet.',
  },
  type: { words: sheetTypes, description: 'What the rows of a sheet are.' },
  book: { words: null, description: 'The price book of prices in a sheet, by name or id.' },
  subscriptions: {
    words: ['true', 'false'],
    description: 'Whether all subscriptions are sent instead of the store, with names, emails and ids of cards.',
  },
}

/** Throws badRequest with all that is wrong. */
function readOptions(given: ReadonlyMap<string, string>): { format: keyof typeof mediaTypes; options: ExportOptions } {
  const { violations, refuse } = optionViolations(given, parameters)
  const format = (given.get('format') ?? 'jsonl') as keyof typeof mediaTypes
  const [type, book] = [given.get('type'), given.get('book')]
  const subscriptions = given.get('subscriptions') === 'true'
  if (format === 'jsonl') {
    for (const name of ['type', 'book'].filter((name) => given.has(name)))
      refuse(name, 'INVALID_VALUE', 'is for sheets alone: give format csv or xlsx')
  } else {
    if (type === undefined) refuse('type', 'REQUIRED', 'must be given with a sheet')
    if (subscriptions) refuse('subscriptions', 'INVALID_VALUE', 'is for jsonl alone')
    if (type === 'product-price' && book === undefined) refuse('book', 'REQUIRED', 'must be given with product-price')
    if (type !== 'product-price' && book !== undefined) refuse('book', 'INVALID_VALUE', 'is for product-price alone')
  }
  if (violations.length > 0) throw new DomainError('badRequest', violations)
  const ofType = (): ExportOptions['sheet'] =>
    type === 'product-price'
      ? { type, book: book as string, decimal: undefined }
      : { type: type as RecordSheetType, decimal: undefined }
  return {
    format,
    options: { sheet: format === 'jsonl' ? null : ofType(), asWorkbook: format === 'xlsx', subscriptions },
  }
}

/** The routes of exports. */
export const exportRoutes: readonly Route[] = [
  {
    method: 'POST',
    paths: ['/exports'],
    right: 'admin',
    query: { options: parameters },
    document: {
      id: 'exportStore',
      tag: 'Imports',
      summary: 'Export the store',
      description:
        'What the store\u2019s team wrote, or its subscriptions, or a sheet, as it is at one instant, in the form that `POST /imports` takes. The header `Export-Summary` of a sheet counts its records and what has no column. An export that fails while it is sent breaks off.',
      content: { response: Object.values(mediaTypes) },
      status: 200,
      failures: [404, 409],
      example: { query: { format: 'csv', type: 'product-price', book: 'Retail' } },
    },
    async handle({ ctx, parameters: given }) {
      const { format, options } = readOptions(given)
      const { pieces, told } = await beginExport(ctx, options)
      const headers = {
        'Content-Type': format === 'csv' ? `${mediaTypes.csv}; charset=utf-8` : mediaTypes[format],
        'Content-Disposition': `attachment; filename="export.${format}"`,
        ...(options.sheet && { 'Export-Summary': told() }),
      }
      return { status: 200, pieces, headers }
    },
  },
]
