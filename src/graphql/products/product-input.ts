/** Product inputs of mutations, and how they are read. */
import { builder } from '../schema/builder.ts'
import type { InputBuilder } from '../schema/define-mutation.ts'
import { type InputMembers, idMember } from '../schema/graph-input.ts'
import { LocaleInput, localesMember } from '../schema/locale.ts'
import { BuildDefaultEnum } from './product-component.ts'
import { ProductStatusEnum } from './product-ref.ts'
import { CommodityTypeEnum } from './product-types.ts'

const OptionInput = builder.inputType('ProductComponentOptionInput', {
  description: "A product that may be chosen for a bundle's component.",
  fields: (t) => ({
    id: t.id({ required: true, description: 'The global id or the UUID of the product, at most once in the component.' }),
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
    key: t.string({ required: true, description: 'The name of the input, 1 to 1024 characters, at most once in the list.' }),
    name: t.string({ required: true, description: 'The label in the storefront, 1 to 1024 characters.' }),
    required: t.boolean({ description: 'Whether a text must be entered.' }),
    validationRules: t.field({ type: [ValidationRuleInput], description: 'What the text must be, at most 10 rules.' }),
  }),
})

const ExtensionFieldInput = builder.inputType('ExtensionFieldInput', {
  description: "One of a template's attributes.",
  fields: (t) => ({
    key: t.string({ required: true, description: 'The name of the attribute, 1 to 1024 characters, at most once in the list.' }),
    value: t.field({ type: 'JSON', description: 'Its value.' }),
  }),
})

const ExtensionInput = builder.inputType('ExtensionInput', {
  description: 'Further attributes of a product, by template.',
  fields: (t) => ({
    template: t.string({ required: true, description: 'The name of the template, 1 to 1024 characters, at most once in the list.' }),
    fields: t.field({ type: [ExtensionFieldInput], required: true, description: 'Its attributes, at most 500.' }),
  }),
})

const VariationOptionInput = builder.inputType('VariationOptionInput', {
  description: 'A choice within a variation.',
  fields: (t) => ({
    key: t.id({ description: 'A UUID, unique within the product; when absent that of the option of this name, else a new one.' }),
    name: t.string({ required: true, description: 'The name, 1 to 1024 characters.' }),
    sortOrder: t.int({ description: 'Highest first.' }),
    description: t.string({ description: 'The description, at most 65536 characters.' }),
    priceModifierNames: t.stringList({ description: 'Names of price modifiers, in the order in which they apply, at most 100.' }),
    locales: t.field({ type: [LocaleInput], description: 'Texts in other languages, at most 200.' }),
  }),
})

export const VariationInput = builder.inputType('VariationInput', {
  description: 'What the children of a parent differ in.',
  fields: (t) => ({
    key: t.id({ description: 'A UUID, unique within the product; when absent that of the variation of this name, else a new one.' }),
    name: t.string({ required: true, description: 'The name, 1 to 1024 characters.' }),
    sortOrder: t.int({ description: 'Highest first.' }),
    locales: t.field({ type: [LocaleInput], description: 'Names in other languages, at most 200.' }),
    options: t.field({ type: [VariationOptionInput], required: true, description: 'The choices, at most 1000 in all variations.' }),
  }),
})

const BuildRulesInput = builder.inputType('BuildRulesInput', {
  description: 'Which combinations of options are built as children. A rule names options of different variations.',
  fields: (t) => ({
    default: t.field({ type: BuildDefaultEnum, description: 'What happens to a combination that no rule means; by default it is built.' }),
    include: t.field({ type: t.listRef(t.listRef('ID')), description: 'Rules that include, each the keys of options; at most 1000.' }),
    exclude: t.field({ type: t.listRef(t.listRef('ID')), description: 'Rules that exclude, which win; at most 1000.' }),
  }),
})

const ProductFileInput = builder.inputType('ProductFileInput', {
  description: 'A file of the files service.',
  fields: (t) => ({
    key: t.id({ required: true, description: 'The UUID that the files service gave the file.' }),
    createdAt: t.field({ type: 'DateTime', description: 'When the file was created; when absent the stored instant, else now.' }),
  }),
})

/** The input fields of a product besides its name, which is required only for a new one. */
export function productFields(t: InputBuilder) {
  return {
    description: t.string({ description: 'The description, at most 65536 characters.' }),
    sku: t.string({ description: 'The stock keeping unit, 1 to 1024 characters, unique among products.' }),
    slug: t.string({ description: 'The name in URLs: letters, digits, hyphen, underscore, period; null derives it from the name.' }),
    status: t.field({ type: ProductStatusEnum, description: 'Whether the next release shows the product; a new one is a draft.' }),
    commodityType: t.field({ type: CommodityTypeEnum, description: 'Whether it is a thing or a file.' }),
    upcEan: t.string({ description: 'The universal product code or European article number.' }),
    manufacturerPartNum: t.string({ description: "The manufacturer's part number." }),
    tags: t.stringList({ description: 'Tags without commas, 1 to 255 characters each; stored in lower case, each once; at most 100.' }),
    externalRef: t.string({ description: 'A free reference to another system, at most 2048 characters.' }),
    components: t.field({
      type: [ComponentInput],
      description: 'What makes it a bundle; replaces all components. At most 100, with 500 options in all.',
    }),
    customInputs: t.field({ type: [CustomInputInput], description: 'Texts that a shopper enters, at most 100; replaces all.' }),
    extensions: t.field({ type: [ExtensionInput], description: 'Further attributes, at most 100 templates; replaces all.' }),
    variations: t.field({
      type: [VariationInput],
      description: 'What makes it a parent; replaces all variations. At most 100, with 1000 options in all.',
    }),
    buildRules: t.field({
      type: BuildRulesInput,
      description: 'Which children are built; null for all. In an update an absent member keeps its value.',
    }),
    optionKeys: t.idList({ description: "The keys of a child's options, one of each variation of its parent." }),
    locales: t.field({ type: [LocaleInput], description: 'Texts in other languages, at most 200; replaces all.' }),
    parentId: t.id({
      description: 'The global id or the UUID of the parent of a child, which may have 1000; null makes it a product of its own.',
    }),
    files: t.field({ type: [ProductFileInput], description: 'The files, at most 100; replaces all.' }),
    mainImageId: t.id({ description: 'The UUID of the main image.' }),
  }
}

const key = { id: { name: 'key' } }

/** How the members of a product's input are read. */
export const productMembers: InputMembers = {
  components: { entry: { key: 'key' }, members: { options: { members: { id: idMember('Product') } } } },
  custom_inputs: { entry: { key: 'key' } },
  extensions: { entry: { key: 'template', value: 'fields' }, each: { entry: { key: 'key', value: 'value' } } },
  variations: {
    members: {
      ...key,
      locales: localesMember,
      options: { members: { ...key, price_modifiers: { name: 'priceModifierNames' }, locales: localesMember } },
    },
  },
  option_ids: { name: 'optionKeys' },
  locales: localesMember,
  parent: { name: 'parentId', ...idMember('Product') },
  files: { members: key },
  main_image: { name: 'mainImageId' },
}
