/** How the members of a product's input are read. */
import type { InputMembers } from '../schema/graph-input.ts'
import { rawId } from '../schema/ids.ts'
import { localesMember } from '../schema/locale.ts'

const productId = (id: string) => rawId('Product', id)
const key = { id: { name: 'key' } }

export const productMembers: InputMembers = {
  components: { entry: { key: 'key' }, members: { options: { members: { id: { read: productId } } } } },
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
  parent: { name: 'parentId', read: productId },
  files: { members: key },
  main_image: { name: 'mainImageId' },
}
