/** Files of products, the same for authored and published ones, and their input. */
import { parseInstant } from '../../domain/input/instant.ts'
import { altOf, type FileLocales } from '../../domain/products/product-file.ts'
import { fileUrl } from '../../pages/demo-files.ts'
import { builder } from '../schema/builder.ts'
import { languagesOf, localeArgs } from '../schema/locale.ts'
import { entriesOf } from '../schema/map-entries.ts'

/** A file of a product. Of a main image the instant is unknown. */
interface FileView {
  readonly id: string
  readonly created_at?: string | null
  readonly alt?: string | null
  readonly width?: number | null
  readonly height?: number | null
  readonly locales?: FileLocales | null
}

const FileLocaleRef = builder.objectRef<{ readonly language: string; readonly alt?: string }>('FileLocale').implement({
  description: 'What an image shows, in one language.',
  right: 'anyone',
  fields: (t) => ({
    language: t.exposeString('language', { description: 'The BCP 47 language tag.' }),
    alt: t.string({
      nullable: true,
      description: 'What the image shows, in the language.',
      resolve: ({ alt }) => alt ?? null,
    }),
  }),
})

/** Its UUID is the field `key`, since it is not a global id. */
export const FileRef = builder.objectRef<FileView>('File').implement({
  description: 'A file or image of a product, stored by the files service.',
  right: 'anyone',
  fields: (t) => ({
    key: t.exposeID('id', { description: 'The UUID that the files service gave the file.' }),
    url: t.string({
      nullable: true,
      description:
        'Where it can be fetched: an absolute URL, as FILES_URL says; null when the server has no FILES_URL. Outside production, the files of the demo store have a path on this server instead.',
      resolve: ({ id }, _, { config }) => fileUrl(config, id),
    }),
    alt: t.string({
      nullable: true,
      description:
        'What the image shows, in the requested language; the default text is in the language of the store. Null when nothing says it; empty for an image that says nothing.',
      args: localeArgs,
      resolve: (file, args, ctx) => altOf(file, languagesOf(args, ctx)),
    }),
    width: t.int({
      nullable: true,
      description: 'The width of the image in pixels; null when it is not known.',
      resolve: ({ width }) => width ?? null,
    }),
    height: t.int({
      nullable: true,
      description: 'The height of the image in pixels; null when it is not known.',
      resolve: ({ height }) => height ?? null,
    }),
    locales: t.field({
      type: [FileLocaleRef],
      description: 'What the image shows in other languages, at most 200.',
      resolve: ({ locales }) => entriesOf(locales ?? null).map(([language, texts]) => ({ language, ...texts })),
    }),
    createdAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the file was created; null for a main image.',
      resolve: ({ created_at }) => (created_at == null ? null : parseInstant(created_at)),
    }),
  }),
})

const FileLocaleInput = builder.inputType('FileLocaleInput', {
  description: 'What an image shows, in one language.',
  fields: (t) => ({
    language: t.string({
      required: true,
      description: 'A BCP 47 language tag, at most once in the list, whatever its case.',
    }),
    alt: t.string({ description: 'What the image shows, at most 1024 characters.' }),
  }),
})

export const ProductFileInput = builder.inputType('ProductFileInput', {
  description: 'A file of the files service. What is absent stays as it is stored for the file, and null clears it.',
  fields: (t) => ({
    key: t.id({ required: true, description: 'The UUID that the files service gave the file.' }),
    alt: t.string({
      description:
        'What the image shows, in the language of the store, at most 1024 characters; empty for an image that says nothing.',
    }),
    width: t.int({ description: 'The width of the image in pixels, from 1 on.' }),
    height: t.int({ description: 'The height of the image in pixels, from 1 on.' }),
    locales: t.field({
      type: [FileLocaleInput],
      description: 'What the image shows in other languages, at most 200; replaces all.',
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When the file was created; when absent the stored instant, else now.',
    }),
  }),
})
