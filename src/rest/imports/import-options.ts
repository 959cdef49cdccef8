/** Options of imports by HTTP: query parameters with the names and meanings of the command line's options. */
import type { JobFormat, JobOptions } from '../../domain/imports/import-job.ts'
import { DomainError } from '../../domain/input/errors.ts'
import { sheetTypes } from '../../import/arguments.ts'
import { type OptionParameters, optionViolations } from '../http/options.ts'

/** The parameters. */
export const optionParameters: OptionParameters = {
  file_name: { words: null, description: 'The name by which problems call the file.' },
  on_error: {
    words: ['stop', 'skip'],
    description: 'Whether the import ends at a refused object, the default, or goes on with the next.',
  },
  ignore_unknown: {
    words: ['true', 'false'],
    description: 'Whether members that an object can not have are left out; otherwise it is refused.',
  },
  publish_anyway: {
    words: ['true', 'false'],
    description: 'Whether catalogs are published although objects before their release were refused.',
  },
  type: { words: sheetTypes, description: 'What the rows of a sheet are; by default its columns tell it.' },
  book: { words: null, description: 'The price book of prices in a sheet, by name or id.' },
  decimal: {
    words: ['.', ','],
    description: 'The decimal mark of a sheet; by default a comma where ; separates the cells.',
  },
}

/** The options of a file. Throws badRequest with all that is wrong. */
export function readImportOptions(
  parameters: ReadonlyMap<string, string>,
  format: JobFormat,
): { readonly options: JobOptions; readonly fileName: string } {
  const { violations, refuse } = optionViolations(parameters, optionParameters)
  const [type, book, decimal] = ['type', 'book', 'decimal'].map((name) => parameters.get(name))
  if (format === 'json') {
    for (const name of ['type', 'book', 'decimal'].filter((name) => parameters.has(name)))
      refuse(name, 'INVALID_VALUE', 'is for sheets alone')
  } else if (type === 'product-price' && book === undefined)
    refuse('book', 'REQUIRED', 'must be given with product-price')
  else if (type !== undefined && type !== 'product-price' && book !== undefined)
    refuse('book', 'INVALID_VALUE', 'is for product-price alone')
  if (violations.length > 0) throw new DomainError('badRequest', violations)
  return {
    fileName: parameters.get('file_name') ?? `import.${format === 'json' ? 'jsonl' : format}`,
    options: {
      onError: parameters.get('on_error') === 'skip' ? 'skip' : 'stop',
      ignoreUnknown: parameters.get('ignore_unknown') === 'true',
      ...(parameters.get('publish_anyway') === 'true' && { publishAnyway: true }),
      ...(type !== undefined && { type }),
      ...(book !== undefined && { book }),
      ...((decimal === '.' || decimal === ',') && { decimal }),
    },
  }
}
