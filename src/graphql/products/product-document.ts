/** REST documents of products from mutation inputs: lists become maps, ids become relationships. */
import { formatInstant } from '../../domain/input/instant.ts'
import { rawId } from '../schema/ids.ts'
import { localesMember } from '../schema/locale.ts'
import { type Member, toMap, toRestDocument } from '../schema/rest-document.ts'
import type { ComponentInput, CustomInputInput, ExtensionInput, ProductFileInput, VariationInput } from './product-input.ts'

const idMember: Member = { as: 'id', value: (id: string) => rawId('Product', id) }
const modifiersMember: Member = { as: 'price_modifiers', value: (names: readonly string[]) => names }
const keyMember: Member = { as: 'id', value: (key: string) => key }

const members: Readonly<Record<string, Member>> = {
  components: {
    as: 'components',
    value: (list: readonly (typeof ComponentInput.$inferInput)[]) =>
      toMap(
        list,
        ({ key }) => key,
        ({ key: _, options, ...component }) => ({
          ...toRestDocument(component),
          options: options.map((option) => toRestDocument(option, { id: idMember })),
        }),
      ),
  },
  customInputs: {
    as: 'custom_inputs',
    value: (list: readonly (typeof CustomInputInput.$inferInput)[]) =>
      toMap(
        list,
        ({ key }) => key,
        ({ key: _, ...input }) => toRestDocument(input),
      ),
  },
  extensions: {
    as: 'extensions',
    value: (list: readonly (typeof ExtensionInput.$inferInput)[]) =>
      toMap(
        list,
        ({ template }) => template,
        ({ fields }) =>
          toMap(
            fields,
            ({ key }) => key,
            ({ value }) => value ?? null,
          ),
      ),
  },
  variations: {
    as: 'variations',
    value: (list: readonly (typeof VariationInput.$inferInput)[]) =>
      list.map(({ options, ...variation }) => ({
        ...toRestDocument(variation, { key: keyMember }),
        options: options.map((option) => toRestDocument(option, { key: keyMember, priceModifierNames: modifiersMember })),
      })),
  },
  optionKeys: { as: 'option_ids', value: (keys: readonly string[]) => keys },
  locales: localesMember,
}

interface Related {
  readonly parentId?: string | null | undefined
  readonly files?: readonly (typeof ProductFileInput.$inferInput)[] | null | undefined
  readonly mainImageId?: string | null | undefined
}

/** The `data` of the REST document for a mutation's input. */
export function productData({ parentId, files, mainImageId, ...attributes }: Related): object {
  const given = Object.entries({
    parent: parentId == null ? parentId : rawId('Product', parentId),
    files: files?.map(({ key, createdAt }) => ({ id: key, ...(createdAt != null && { created_at: formatInstant(createdAt) }) })) ?? files,
    main_image: mainImageId,
  }).filter(([, data]) => data !== undefined)
  const relationships = Object.fromEntries(given.map(([name, data]) => [name, { data }]))
  return { type: 'product', attributes: toRestDocument(attributes, members), relationships }
}
