/**
 * text.names-are-visible, held by the schema itself: every text of every mutation that creates is a name, or is listed
 * as none.
 */
import { type GraphQLInputType, GraphQLString, getNamedType } from 'graphql'
import { beforeAll, expect, it } from 'vitest'
import { schema } from '../../src/graphql/schema.ts'
import { useDatabase } from '../support/database.ts'
import { changed, fullInputs, makeKnown, membersIn } from '../support/full-inputs.ts'
import { mutate } from '../support/mutations.ts'
import { useServer } from '../support/server.ts'

const database = useDatabase()
const server = useServer(database)

beforeAll(() => makeKnown(server))

const results: Readonly<Record<string, string>> = { upsertProductPrices: 'results { userErrors { code path } }' }

let number = 0
/** The codes of the userErrors in a text, with a text in its place. */
async function codesWith(
  name: string,
  input: (n: string) => object,
  path: readonly (string | number)[],
  text: string,
): Promise<string[]> {
  const set = (holder: Record<string, unknown>, member: string) => {
    holder[member] = Array.isArray(holder[member]) ? [text] : text
  }
  const reply = await mutate(server, name, changed(input(`Name${++number}end`), path, set), results[name] ?? '')
  expect([name, path, reply.errors]).toEqual([name, path, undefined])
  await database.prisma.sale.deleteMany()
  const errors = [reply, ...(reply.results ?? [])].flatMap(({ userErrors }) => userErrors) as {
    code: string
    path: string[]
  }[]
  return errors
    .filter(({ code }) => code !== 'EXTERNAL_REF_TAKEN')
    .filter((error) => error.path.join('.').startsWith(path.join('.')))
    .map(({ code }) => code)
}

/** The places of the schema where the two texts had this result. */
function placesWith(found: Readonly<Record<string, string>>, result: string): string[] {
  return Object.keys(found)
    .filter((place) => found[place] === result)
    .sort()
}

it('text.names-are-visible: mutations refuse a name without a visible character, and one with white space at its end; other texts are taken as they are', async () => {
  const found: Record<string, string> = {}
  for (const { name, args } of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const { type } = args[0] as { readonly type: GraphQLInputType }
    for (const input of fullInputs[name] ?? [])
      for (const { path, place, type: member } of membersIn(type, input('n'))) {
        if (getNamedType(member) !== GraphQLString) continue
        const blank = await codesWith(name, input, path, '\u200b \u200b')
        const edged = await codesWith(name, input, path, 'abc\u00a0')
        found[place] = `${blank} ${edged}`
      }
  }
  expect(placesWith(found, 'INVALID_TEXT INVALID_TEXT')).toEqual([
    'AddProductPriceInput.sku',
    'AddSaleInput.name',
    'AddSalesInput.name',
    'CreateCatalogInput.name',
    'CreateCatalogRuleInput.channels',
    'CreateCatalogRuleInput.name',
    'CreateCatalogRuleInput.tags',
    'CreateHierarchyInput.name',
    'CreateHierarchyInput.seoDescription',
    'CreateHierarchyInput.seoTitle',
    'CreateNodeInput.name',
    'CreateNodeInput.seoDescription',
    'CreateNodeInput.seoTitle',
    'CreateOfferingInput.name',
    'CreatePlanInput.name',
    'CreatePriceBookInput.name',
    'CreatePriceModifierInput.name',
    'CreateProductInput.name',
    'CreateProductInput.seoDescription',
    'CreateProductInput.seoTitle',
    'CreateProductInput.sku',
    'CreateProductInput.tags',
    'CreateSubscriptionInput.name',
    'CreateSubscriptionProductInput.name',
    'CreateSubscriptionProductInput.sku',
    'CustomInputInput.name',
    'LabelInput.key',
    'LabelLocaleInput.name',
    'ProductComponentInput.name',
    'ProductPriceRowInput.sku',
    'SaleInput.name',
    'TierInput.name',
    'VariationInput.name',
    'VariationOptionInput.name',
  ])
  // A blank name in another language is none (language.blank-is-no-translation).
  expect(placesWith(found, ' INVALID_TEXT')).toEqual(['LocaleInput.name'])
  expect(placesWith(found, 'INVALID_FORMAT INVALID_FORMAT')).toEqual([
    'CreateHierarchyInput.slug',
    'CreateNodeInput.slug',
    'CreateProductInput.slug',
    'CreateSubscriptionInput.email',
    'CreateSubscriptionProductInput.mainImage',
    'CreateWebhookInput.url',
    'FileLocaleInput.language',
    'LabelLocaleInput.language',
    'LocaleInput.language',
    'LocaleInput.slug',
  ])
  const free = placesWith(found, ' ').filter(
    (place) => !/\.(description|externalRef|seoTitle|seoDescription)$/.test(place),
  )
  expect(free).toEqual([
    // What names stored records must find those of older versions.
    'AddSalesInput.skus',
    'AttributeInput.key',
    'AttributeInput.value',
    'CreateNodeInput.label',
    // Codes, keys and references of other systems.
    'CreateProductInput.manufacturerPartNum',
    'CreateProductInput.upcEan',
    'CustomInputInput.key',
    'ExtensionFieldInput.key',
    'ExtensionInput.template',
    // What an image shows.
    'FileLocaleInput.alt',
    'PaymentAuthorityInput.cardRef',
    'PaymentAuthorityInput.customerRef',
    'ProductComponentInput.key',
    'ProductFileInput.alt',
    'SaleFilter.tags',
    'SaleRowInput.sku',
    'VariationOptionInput.priceModifierNames',
  ])
}, 60_000)
