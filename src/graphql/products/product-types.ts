/**
 * Parts of products, the same for authored and published ones: enums, custom inputs, extensions and variations.
 */
import type { ReleaseLabels } from '../../domain/catalog/label.ts'
import type { ProductType } from '../../domain/catalog/release-document.ts'
import type { ReleaseVariation, ReleaseVariationOption } from '../../domain/catalog/released-product.ts'
import type { CustomInput, CustomInputs } from '../../domain/products/custom-input.ts'
import type { Extensions } from '../../domain/products/extension.ts'
import type { CommodityType } from '../../domain/products/product.ts'
import { builder } from '../schema/builder.ts'
import type { FieldBuilder } from '../schema/graph-types.ts'
import { type Labelled, labelIn } from '../schema/label.ts'
import { LocaleRef, localeArgs, localeList, textsOf } from '../schema/locale.ts'
import { entriesOf } from '../schema/map-entries.ts'
import { wordEnum } from '../schema/word-enum.ts'

export const CommodityTypeEnum = wordEnum<CommodityType>('CommodityType', 'Whether a product is a thing or a file.', {
  physical: 'A physical product.',
  digital: 'A digital product.',
})

export const ProductTypeEnum = wordEnum<ProductType>('ProductType', 'What a product is; it may be several at once.', {
  standard: 'None of the others.',
  parent: 'It has built child products.',
  child: 'It is a child of a parent.',
  bundle: 'It has components.',
})

const ValidationRuleRef = builder
  .objectRef<{ readonly type: string; readonly maxLength: number | null }>('ValidationRule')
  .implement({
    description: 'What a text that a shopper enters must be.',
    right: 'anyone',
    fields: (t) => ({
      type: t.exposeString('type', { description: 'The type of the value; always `string`.' }),
      maxLength: t.exposeInt('maxLength', {
        nullable: true,
        description: 'How many characters it may have, at most 255.',
      }),
    }),
  })

export const CustomInputRef = builder.objectRef<CustomInput & { readonly key: string }>('CustomInput').implement({
  description: 'A text that a shopper enters for a product.',
  right: 'anyone',
  fields: (t) => ({
    key: t.exposeString('key', { description: 'The name of the input, unique within its product.' }),
    name: t.exposeString('name', { description: 'The label in the storefront.' }),
    required: t.exposeBoolean('required', { nullable: true, description: 'Whether a text must be entered.' }),
    validationRules: t.field({
      type: [ValidationRuleRef],
      description: 'What the text must be, by at most 10 rules.',
      resolve: ({ validation_rules }) =>
        (validation_rules ?? []).map(({ type, options }) => ({ type, maxLength: options?.max_length ?? null })),
    }),
  }),
})

/** Custom inputs as a list, in the order of the key. */
export function customInputList(inputs: CustomInputs | null) {
  return entriesOf(inputs).map(([key, input]) => ({ key, ...input }))
}

const ExtensionFieldRef = builder
  .objectRef<Labelled & { readonly key: string; readonly value: unknown }>('ExtensionField')
  .implement({
    description: "One of a template's attributes.",
    right: 'anyone',
    fields: (t) => ({
      key: t.exposeString('key', { description: 'The name of the attribute.' }),
      label: t.string({
        description:
          'What the attribute of a published product is called in the requested language, else in that of the store, else its name.',
        args: localeArgs,
        resolve: (one, args, ctx) => labelIn(one, 'attribute', one.key, args, ctx),
      }),
      value: t.expose('value', { type: 'JSON', nullable: true, description: 'Its value.' }),
      valueLabel: t.string({
        nullable: true,
        description:
          'What a text, number or boolean of a published product is called in the requested language, else in that of the store, else the value as a text; null for any other value.',
        args: localeArgs,
        resolve: (one, args, ctx) => {
          const { value } = one
          const isShort = ['string', 'number', 'boolean'].includes(typeof value)
          return isShort ? labelIn(one, 'attribute_value', String(value), args, ctx) : null
        },
      }),
    }),
  })

export const ExtensionRef = builder
  .objectRef<Labelled & { readonly template: string; readonly values: object }>('Extension')
  .implement({
    description: 'Further attributes of a product, by template.',
    right: 'anyone',
    fields: (t) => ({
      template: t.exposeString('template', { description: 'The name of the template.' }),
      fields: t.field({
        type: [ExtensionFieldRef],
        description: 'Its attributes, at most 500, in the order of the key.',
        resolve: ({ values, labels }) =>
          entriesOf(values).map(([key, value]) => ({ key, value: value as unknown, labels })),
      }),
    }),
  })

/** Extensions as a list, in the order of the template's name; authored ones have no labels. */
export function extensionList(extensions: Extensions | null, labels: ReleaseLabels = {}) {
  return entriesOf(extensions).map(([template, values]) => ({ template, values, labels }))
}

/**
 * The fields that a variation and its options share. The UUID is the field `key`, not `id`, since it is not a global
 * id: a client that caches by type and id would mix drafts with releases.
 */
function variationFields(
  t: FieldBuilder<Pick<ReleaseVariationOption, 'id' | 'name' | 'locales' | 'sort_order'>>,
  noun: string,
) {
  return {
    key: t.exposeID('id', { description: `The UUID of the ${noun}, unique within its product only.` }),
    name: t.exposeString('name', { description: `The default name of the ${noun}, which filters take.` }),
    label: t.string({
      description: 'The name in the requested language.',
      args: localeArgs,
      resolve: ({ name, locales = null }, args, ctx) => textsOf({ name, description: null, locales }, args, ctx).name,
    }),
    locales: t.field({
      type: [LocaleRef],
      description: 'Texts in other languages, at most 200.',
      resolve: ({ locales = null }) => localeList(locales),
    }),
    sortOrder: t.field({
      type: 'Long',
      nullable: true,
      description: 'Highest first.',
      resolve: (one) => one.sort_order ?? null,
    }),
  }
}

export const VariationOptionRef = builder.objectRef<ReleaseVariationOption>('VariationOption').implement({
  description: 'A choice within a variation.',
  right: 'anyone',
  fields: (t) => ({
    ...variationFields(t, 'option'),
    description: t.string({
      nullable: true,
      description: 'The description of the option.',
      resolve: (one) => one.description ?? null,
    }),
    priceModifierNames: t.stringList({
      right: 'admin',
      description: 'The price modifiers of a child with this option, at most 100, in the order in which they apply.',
      resolve: (one) => [...(one.price_modifiers ?? [])],
    }),
  }),
})

export const VariationRef = builder.objectRef<ReleaseVariation>('Variation').implement({
  description: 'What the children of a parent differ in.',
  right: 'anyone',
  fields: (t) => ({
    ...variationFields(t, 'variation'),
    options: t.expose('options', {
      type: [VariationOptionRef],
      description: 'The choices, at most 1000 in all variations.',
    }),
  }),
})
