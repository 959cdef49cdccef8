/** Import routes: sending a file, and the objects of it that were refused. The graph starts and shows imports. */
import { jobFormats } from '../../domain/imports/import-job.ts'
import { formatInstant } from '../../domain/input/instant.ts'
import * as schema from '../../domain/input/json-schema.ts'
import { refusedObjects, uploadImport } from '../../operations/imports/import-job.ts'
import type { Route } from '../http/route.ts'
import { fileChunks, fileTypes, readFileHeaders } from './import-file.ts'
import { optionParameters, readImportOptions } from './import-options.ts'

const tag = 'Imports'
const CSV = 'text/csv; charset=utf-8'
/** Of the refused objects; a workbook can not be written while the import runs, so its rows come as CSV. */
const mediaTypeOf = { json: 'application/x-ndjson', csv: CSV, xlsx: CSV } as const
const MIB = 1024 * 1024

const response = schema.object({
  data: schema.object(
    {
      id: schema.uuid,
      type: schema.word('import_job'),
      attributes: schema.object({
        file_name: schema.text(),
        format: schema.word(...jobFormats),
        bytes: schema.integer(1),
        state: schema.word('uploaded'),
        created_at: schema.instant,
      }),
    },
    'ImportJob',
  ),
})

const example = {
  id: '019c5b2e-0000-7000-8000-000000000001',
  body: '{"data": {"type": "pricebook", "attributes": {"name": "Sent by curl"}}}',
}

/** The routes of imports. */
export const importRoutes: readonly Route[] = [
  {
    method: 'POST',
    paths: ['/imports'],
    right: 'admin',
    file: true,
    query: { options: optionParameters },
    document: {
      id: 'createImport',
      tag,
      summary: 'Send a file to import',
      description:
        'The body is the file: JSON objects, one per line or in an array, or a sheet with a header, CSV or XLSX; gzipped with `Content-Encoding: gzip`. It is stored, and imported once the mutation `startImport` of the graph gets the `id`, while `checkImport` tells what that would do; the query `importJob` shows how far it is.',
      content: { request: Object.keys(fileTypes) },
      status: 201,
      response,
      failures: [408, 409, 413, 415],
      example: {
        query: { file_name: 'books.jsonl' },
        file: example.body,
        response: {
          data: {
            id: example.id,
            type: 'import_job',
            attributes: {
              file_name: 'books.jsonl',
              format: 'json',
              bytes: example.body.length,
              state: 'uploaded',
              created_at: '2026-01-15T12:00:00.000Z',
            },
          },
        },
      },
    },
    async handle({ ctx, parameters, file }) {
      const headers = readFileHeaders(file)
      const given = readImportOptions(parameters, headers.format)
      const chunks = fileChunks(file, headers.gzipped, ctx.config.importMaxMb * MIB)
      const { id, fileName, format, bytes, createdAt } = await uploadImport(ctx, { ...headers, ...given, chunks })
      const attributes = { file_name: fileName, format, bytes, state: 'uploaded', created_at: formatInstant(createdAt) }
      return { status: 201, body: { data: { id, type: 'import_job', attributes } } }
    },
  },
  {
    method: 'GET',
    paths: ['/imports/{import_id}/refused'],
    right: 'admin',
    document: {
      id: 'getRefusedObjects',
      tag,
      summary: 'Get the refused objects of an import',
      description:
        'The objects that the import refused so far, each with what is wrong, one per line, or the rows of a sheet as CSV with the reason in a last column. Corrected they are a file to import.',
      content: { response: ['application/x-ndjson', 'text/csv'] },
      status: 200,
      example: { path: { import_id: example.id } },
    },
    async handle({ ctx, id }) {
      const { format, length, pieces } = await refusedObjects(ctx, { id: id('import_id') })
      const headers = { 'Content-Type': mediaTypeOf[format], 'Content-Length': String(length) }
      return { status: 200, pieces, headers }
    },
  },
]
