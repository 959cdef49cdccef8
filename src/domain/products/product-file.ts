/** Files of a product: images and other files that another service stores, and what is said of them. */

import { isObject } from '../../lib/json-object.ts'
import { uuid } from '../input/formats.ts'
import type { InputReader } from '../input/input-reader.ts'
import { formatInstant } from '../input/instant.ts'
import * as schema from '../input/json-schema.ts'
import { FILE_ALT_MAX, INT4_MAX, LOCALES_MAX, PRODUCT_FILES_MAX } from '../input/limits.ts'
import { wholeJson } from '../input/whole-member.ts'
import { localizeText } from '../language/language.ts'
import { isTranslation, readTextsByTag } from '../language/locale.ts'

/** What an image shows, by language tag. */
export type FileLocales = Readonly<Record<string, { readonly alt?: string }>>

/** What is said of a file. */
interface Described {
  /** What the image shows, in the language of the store. */
  readonly alt: string
  /** Pixels. */
  readonly width: number
  readonly height: number
  readonly locales: FileLocales
}

type Nullable = { readonly [Name in keyof Described]: Described[Name] | null }

/** A file of another service; `created_at` is RFC 3339, UTC, with milliseconds. What is not said of it is absent. */
export interface ProductFile extends Partial<Described> {
  readonly id: string
  readonly created_at: string
}

/** A file of the input; `createdAt` is in epoch milliseconds. */
export interface FileInput {
  readonly id: string
  readonly createdAt: number | undefined
  readonly described: { readonly [Name in keyof Described]: Described[Name] | null | undefined }
}

const { closed, list, map, nullable, text } = schema
const pixels = nullable(schema.integer(1, INT4_MAX))

const describedSchema = {
  'alt?': nullable(text({ max: FILE_ALT_MAX })),
  'width?': pixels,
  'height?': pixels,
  'locales?': nullable(map(nullable(closed({ 'alt?': nullable(text()) })), { max: LOCALES_MAX })),
}

/** Files, each id once; the last of repeated ones counts. */
export const files = wholeJson<readonly ProductFile[] | null, readonly FileInput[]>(null, {
  at: 'relationships',
  max: PRODUCT_FILES_MAX,
  schema: nullable(list(fileSchema(['file'], describedSchema), PRODUCT_FILES_MAX)),
  read: readFiles,
  exported: (stored) => (stored ?? []).map((file) => ({ ...file, ...describedOf(file) })),
})

/** The schema of a file, by its id alone or in an object. */
export function fileSchema(types: readonly string[], own: schema.Members = {}): schema.Schema {
  const file = { 'type?': schema.word(...types), id: schema.uuid, 'created_at?': nullable(schema.instant), ...own }
  return { anyOf: [schema.uuid, closed(file)] }
}

function readFiles(relationship: InputReader): FileInput[] | null | undefined {
  const given = relationship.list('data', readFile, { nullable: true, max: PRODUCT_FILES_MAX })
  if (given == null) return given
  return given.length > 0 ? [...new Map(given.map((file) => [file.id, file])).values()] : null
}

function readFile(given: InputReader, index: number): FileInput {
  const { id, reader } = readFileId(given, index, ['file'])
  const createdAt = reader?.instant('created_at', { nullable: true }) ?? undefined
  const size = { nullable: true, min: 1, max: INT4_MAX }
  const described = {
    alt: reader?.text('alt', { nullable: true, max: FILE_ALT_MAX }),
    width: reader?.integer('width', size),
    height: reader?.integer('height', size),
    locales: reader && readTextsByTag(reader, readAlt),
  }
  return { id: id ?? '', createdAt, described }
}

function readAlt(texts: InputReader | null | undefined): { readonly alt?: string } {
  const alt = texts?.text('alt', { nullable: true, max: FILE_ALT_MAX })
  return isTranslation(alt) ? { alt } : {}
}

/**
 * Reads a file's id, given alone or in `{ type?, id }`; `reader` reads that object. Files belong to another service, so
 * nothing checks that they exist.
 */
export function readFileId(
  from: InputReader,
  name: string | number,
  types: readonly string[],
): { id: string | undefined; reader?: InputReader } {
  if (!isObject(from.raw(name, { nullable: true }))) return { id: from.text(name, { format: uuid })?.toLowerCase() }
  const reader = from.object(name)
  reader?.oneOf('type', types)
  const id = reader?.text('id', { required: true, format: uuid })?.toLowerCase()
  return reader ? { id, reader } : { id }
}

/**
 * The files after a change: each keeps what is stored of it and not given (file.keeps-what-is-not-given); a new file
 * without a given `created_at` has `now`, epoch milliseconds.
 */
export function mergeFiles(given: readonly FileInput[], stored: readonly ProductFile[], now: number): ProductFile[] {
  return given.map(({ id, createdAt, described }) => {
    const before = stored.find((file) => file.id === id)
    const created = createdAt === undefined ? before?.created_at : formatInstant(createdAt)
    const { alt, width, height, locales } = described
    return {
      id,
      created_at: created ?? formatInstant(now),
      ...said('alt', alt, before),
      ...said('width', width, before),
      ...said('height', height, before),
      ...said('locales', locales, before),
    }
  })
}

function said<Name extends keyof Described>(
  name: Name,
  given: Described[Name] | null | undefined,
  before: Partial<Described> | undefined,
): { [One in Name]?: Described[One] } {
  const value = given === undefined ? before?.[name] : given
  return value == null ? {} : ({ [name]: value } as { [One in Name]?: Described[One] })
}

/** All that can be said of a file, null for what is not said. */
export function describedOf({ alt, width, height, locales }: Partial<Described>): Nullable {
  return { alt: alt ?? null, width: width ?? null, height: height ?? null, locales: locales ?? null }
}

/** The main image, of which its entry among the files tells more (file.main-image-is-among-the-files). */
export function mainImageOf(id: string | null, among: readonly ProductFile[] | null) {
  return id === null ? null : { id, ...describedOf(among?.find((file) => file.id === id) ?? {}) }
}

/** What the image shows, in the best accepted language that says it (file.alt-in-language). */
export function altOf({ alt = null, locales }: Pick<Partial<Nullable>, 'alt' | 'locales'>, accepted: string | null) {
  const translations = Object.entries(locales ?? {}).map(([tag, texts]) => [tag, texts.alt] as const)
  return localizeText(alt, Object.fromEntries(translations), accepted)
}
