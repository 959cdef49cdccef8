/** Product inputs of mutations, and how they are read. */
import type { productRecord } from '../../domain/products/product.ts'
import type { RecordForm } from '../pricing/record-input.ts'
import { builder } from '../schema/builder.ts'
import { idMember } from '../schema/graph-input.ts'
import { LocaleInput, localesMember, seoForm } from '../schema/locale.ts'
import { BuildDefaultEnum } from './product-component.ts'
import { ProductFileInput } from './product-file.ts'
import { ProductStatusEnum } from './product-ref.ts'
import { CommodityTypeEnum } from './product-types.ts'

const OptionInput = builder.inputType('ProductComponentOptionInput', {
  description: "A product that may be chosen for a bundle's component.",
  fields: (t) => ({
    id: t.id({
      required: true,
      description: 'The global id or the UUID of the product, at most once in the component.',
    }),
    quantity: t.field({ type: 'Long', description: 'How many a shopper must buy, 1 or more; 1 when absent.' }),
    sortOrder: t.int({ description: 'Highest first.' }),
    default: t.boolean({ description: 'Whether it is chosen by default.' }),
  }),
})

const ComponentInput = builder.inputType('ProductComponentInput', {
  description: 'A part of a bundle. The options that are marked default must be none, or from `min` to `max`.',
  fields: (t) => ({
    key: t.string({ required: true, description: 'The key, 1 to 1024 characters, at most once in the list.' }),
    name: t.string({ required: true, description: 'The name in the storefront, 1 to 1024 characters.' }),
    min: t.int({ description: 'How many options must be chosen at least; no more than there are.' }),
    max: t.int({ description: 'How many options may be chosen at most.' }),
    sortOrder: t.int({ description: 'For clients to sort by.' }),
    options: t.field({ type: [OptionInput], required: true, description: 'The options.' }),
  }),
})

const RuleOptionsInput = builder.inputType('ValidationRuleOptionsInput', {
  description: 'What a validation rule says.',
  fields: (t) => ({ maxLength: t.int({ description: 'How many characters the text may have, 1 to 255.' }) }),
})

const ValidationRuleInput = builder.inputType('ValidationRuleInput', {
  description: 'What a text that a shopper enters must be.',
  fields: (t) => ({ options: t.field({ type: RuleOptionsInput, description: 'What the rule says.' }) }),
})

const CustomInputInput = builder.inputType('CustomInputInput', {
  description: 'A text that a shopper enters for a product.',
  fields: (t) => ({
    key: t.string({
      required: true,
      description: 'The name of the input, 1 to 1024 characters, at most once in the list.',
    }),
    name: t.string({ required: true, description: 'The label in the storefront, 1 to 1024 characters.' }),
    required: t.boolean({ description: 'Whether a text must be entered.' }),
    validationRules: t.field({ type: [ValidationRuleInput], description: 'What the text must be, at most 10 rules.' }),
  }),
})

const ExtensionFieldInput = builder.inputType('ExtensionFieldInput', {
  description: "One of a template's attributes.",
  fields: (t) => ({
    key: t.string({
      required: true,
      description: 'The name of the attribute, 1 to 1024 characters, at most once in the list.',
    }),
    value: t.field({ type: 'JSON', description: 'Its value.' }),
  }),
})

const ExtensionInput = builder.inputType('ExtensionInput', {
  description: 'Further attributes of a product, by template.',
  fields: (t) => ({
    template: t.string({
      required: true,
      description: 'The name of the template, 1 to 1024 characters, at most once in the list.',
    }),
    fields: t.field({ type: [ExtensionFieldInput], required: true, description: 'Its attributes, at most 500.' }),
  }),
})

const VariationOptionInput = builder.inputType('VariationOptionInput', {
  description: 'A choice within a variation.',
  fields: (t) => ({
    key: t.id({
      description: 'A UUID, unique within the product; when absent that of the option of this name, else a new one.',
    }),
    name: t.string({ required: true, description: 'The name, 1 to 1024 characters.' }),
    sortOrder: t.int({ description: 'Highest first.' }),
    description: t.string({ description: 'The description, at most 65536 characters.' }),
    priceModifierNames: t.stringList({
      description: 'Names of price modifiers, in the order in which they apply, at most 100.',
    }),
    locales: t.field({ type: [LocaleInput], description: 'Texts in other languages, at most 200.' }),
  }),
})

export const VariationInput = builder.inputType('VariationInput', {
  description: 'What the children of a parent differ in.',
  fields: (t) => ({
    key: t.id({
      description: 'A UUID, unique within the product; when absent that of the variation of this name, else a new one.',
    }),
    name: t.string({ required: true, description: 'The name, 1 to 1024 characters.' }),
    sortOrder: t.int({ description: 'Highest first.' }),
    locales: t.field({ type: [LocaleInput], description: 'Names in other languages, at most 200.' }),
    options: t.field({
      type: [VariationOptionInput],
      required: true,
      description: 'The choices, at most 1000 in all variations.',
    }),
  }),
})

const BuildRulesInput = builder.inputType('BuildRulesInput', {
  description: 'Which combinations of options are built as children. A rule names options of different variations.',
  fields: (t) => ({
    default: t.field({
      type: BuildDefaultEnum,
      description: 'What happens to a combination that no rule means; by default it is built.',
    }),
    include: t.field({
      type: t.listRef(t.listRef('ID')),
      description: 'Rules that include, each the keys of options; at most 1000.',
    }),
    exclude: t.field({ type: t.listRef(t.listRef('ID')), description: 'Rules that exclude, which win; at most 1000.' }),
  }),
})

const key = { id: { name: 'key' } }

/** The input fields of a product, and how they are read. */
export const productForm: RecordForm<typeof productRecord.members> = {
  name: ['The name, {limits}.', 'The name, {limits}; it can not be cleared. The slug stays.'],
  description: 'The description, {limits}.',
  sku: 'The stock keeping unit, {limits}.',
  slug: 'The name in URLs: letters, digits, hyphen, underscore, period; null derives it from the name.',
  status: { type: ProductStatusEnum, description: 'Whether the next release shows the product; a new one is a draft.' },
  commodityType: { type: CommodityTypeEnum, description: 'Whether it is a thing or a file.' },
  upcEan: 'The universal product code or European article number.',
  manufacturerPartNum: "The manufacturer's part number.",
  tags: {
    field: (t, options) => t.stringList(options),
    description: 'Tags without commas, 1 to 255 characters each; stored in lower case, each once; {limits}.',
  },
  externalRef: 'A free reference to another system, {limits}.',
  components: {
    field: (t, options) => t.field({ ...options, type: [ComponentInput] }),
    form: { entry: { key: 'key' }, members: { options: { members: { id: idMember('Product') } } } },
    description: 'What makes it a bundle; replaces all components. At most {max}, with 500 options in all.',
  },
  customInputs: {
    field: (t, options) => t.field({ ...options, type: [CustomInputInput] }),
    form: { entry: { key: 'key' } },
    description: 'Texts that a shopper enters, {limits}; replaces all.',
  },
  extensions: {
    field: (t, options) => t.field({ ...options, type: [ExtensionInput] }),
    form: { entry: { key: 'template', value: 'fields' }, each: { entry: { key: 'key', value: 'value' } } },
    description: 'Further attributes, {limits} templates; replaces all.',
  },
  variations: {
    field: (t, options) => t.field({ ...options, type: [VariationInput] }),
    form: {
      members: {
        ...key,
        locales: localesMember,
        options: { members: { ...key, price_modifiers: { name: 'priceModifierNames' }, locales: localesMember } },
      },
    },
    description: 'What makes it a parent; replaces all variations. At most {max}, with 1000 options in all.',
  },
  buildRules: {
    field: (t, options) => t.field({ ...options, type: BuildRulesInput }),
    description: 'Which children are built; null for all. In an update an absent member keeps its value.',
  },
  optionIds: {
    name: 'optionKeys',
    field: (t, options) => t.idList(options),
    description: "The keys of a child's options, one of each variation of its parent.",
  },
  ...seoForm,
  locales: 'Texts in other languages, {limits}; replaces all.',
  parentId: {
    ids: ['Product'],
    description:
      'The global id or the UUID of the parent of a child, which may have 1000; null makes it a product of its own.',
  },
  files: {
    field: (t, options) => t.field({ ...options, type: [ProductFileInput] }),
    form: { members: { ...key, locales: localesMember } },
    description: 'The files, {limits}; replaces all. A file that stays keeps what is not given of it.',
  },
  mainImageId: { field: (t, options) => t.id(options), description: 'The UUID of the main image.' },
}
