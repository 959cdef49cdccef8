/**
 * Campaigns: the results of a call for the sales of many prices, page by page, and the inputs that choose the prices.
 */
import { DomainError } from '../../domain/input/errors.ts'
import { SALE_FILTER_MAX, SALE_ROWS_MAX } from '../../domain/input/limits.ts'
import { limitParams } from '../../domain/input/violation-params.ts'
import { type CampaignResult, violationsOf } from '../../domain/pricing/campaign-row.ts'
import { withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import type { InputBuilder } from '../schema/define-mutation.ts'
import { toUserErrors, UserErrorRef } from '../schema/errors.ts'
import { type InputMembers, idMember } from '../schema/graph-input.ts'
import { wordEnum } from '../schema/word-enum.ts'
import { PRICE_WARNINGS_MAX, PriceWarningRef } from './price-warning.ts'
import { ProductPriceRef } from './product-price.ts'
import { TieredPriceRef, tieredPrices } from './tiered-price.ts'

/** The maximum number of rows in one response. */
const ROWS_MAX = 1_000

const SaleOutcome = wordEnum('SaleOutcome', 'What became of the sales of a price.', {
  changed: 'The call changed them; a dry run would.',
  unchanged: 'They were like that already.',
  refused: 'A rule forbids it, and the price stays as it is.',
})

const SalePriceChangeRef = builder.objectRef<CampaignResult['changes'][number]>('SalePriceChange').implement({
  description: 'A price in one currency without the call and with it, while the sale runs.',
  right: 'admin',
  fields: (t) => ({
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'The currency.' }),
    before: t.field({
      type: TieredPriceRef,
      description: 'Without the call: the list price, or the price of a sale that is removed.',
      resolve: ({ currency, before }) => tieredPrices({ [currency]: before })[0] as never,
    }),
    after: t.field({
      type: TieredPriceRef,
      description: 'With the call: the price of the sale, or the list price where a sale is removed.',
      resolve: ({ currency, after }) => tieredPrices({ [currency]: after })[0] as never,
    }),
  }),
})

type Row = CampaignResult & { readonly input: object }

const SaleCampaignRowRef = builder.objectRef<Row>('SaleCampaignRow').implement({
  description: 'What became of the sales of one price.',
  right: 'admin',
  fields: (t) => ({
    sku: t.exposeString('sku', { description: 'The SKU of the price.' }),
    outcome: t.expose('outcome', { type: SaleOutcome, description: 'What became of them.' }),
    prices: t.expose('changes', {
      type: [SalePriceChangeRef],
      description:
        'The prices in the currencies of the sale, at most 200, by code; none of a row that was refused, or whose sale ends.',
    }),
    warnings: t.field({
      type: [PriceWarningRef],
      description: `What is maybe not meant in the price as the call leaves it, at most ${PRICE_WARNINGS_MAX}: the first ones; none of a row that was refused.`,
      resolve: ({ warnings }) => warnings.slice(0, PRICE_WARNINGS_MAX),
    }),
    productPrice: t.field({
      type: ProductPriceRef,
      nullable: true,
      description: 'The price as it is stored; null when the book has none for the SKU.',
      resolve: ({ priceId }, _, { loaders }) => (priceId === null ? null : loaders.productPriceById.load(priceId)),
    }),
    userErrors: t.field({
      type: [UserErrorRef],
      description: 'Why it was refused.',
      resolve: (row) => toUserErrors(violationsOf(row), { input: row.input, members: campaignMembers }),
    }),
  }),
})

interface Campaign {
  readonly results: readonly CampaignResult[]
  readonly input: object
}

/** The result of a call for the sales of many prices. */
export const SaleCampaignRef = builder.objectRef<Campaign>('SaleCampaign')

SaleCampaignRef.implement({
  description: 'What a call did to the sales of many prices, or in a dry run would do.',
  right: 'admin',
  fields: (t) => ({
    changedCount: t.int({
      description: 'Prices whose sales it changed.',
      resolve: ({ results }) => count(results, 'changed'),
    }),
    unchangedCount: t.int({
      description: 'Prices that were like that already.',
      resolve: ({ results }) => count(results, 'unchanged'),
    }),
    refusedCount: t.int({
      description: 'Prices that a rule forbids to change.',
      resolve: ({ results }) => count(results, 'refused'),
    }),
    rows: t.field({
      type: [SaleCampaignRowRef],
      description: `Price by price, in the order of the input or of the SKUs that a filter found; at most ${ROWS_MAX} from \`offset\` on.`,
      args: {
        outcome: t.arg({ type: SaleOutcome, description: 'Only those of which this became, such as `REFUSED`.' }),
        offset: t.arg.int({
          required: true,
          defaultValue: 0,
          description: `How many to leave out at the start, 0 to ${SALE_ROWS_MAX}, such as 1000 for the second response; a dry run can be repeated for the next ones.`,
          ...withReader(({ offset }: { offset: number }) => assertOffset(offset)),
        }),
      },
      resolve: ({ results, input }, { outcome, offset }) => {
        assertOffset(offset)
        const shown = outcome == null ? results : results.filter((one) => one.outcome === outcome)
        return shown.slice(offset, offset + ROWS_MAX).map((one) => ({ ...one, input }))
      },
    }),
  }),
})

function count(results: readonly CampaignResult[], outcome: CampaignResult['outcome']): number {
  return results.filter((one) => one.outcome === outcome).length
}

function assertOffset(offset: number): void {
  if (offset >= 0 && offset <= SALE_ROWS_MAX) return
  const message = `must be from 0 to ${SALE_ROWS_MAX}`
  throw new DomainError('badRequest', [
    { code: 'OUT_OF_RANGE', path: ['offset'], message, params: limitParams(0, SALE_ROWS_MAX) },
  ])
}

const SaleRowInput = builder.inputType('SaleRowInput', {
  description: 'One price of a book.',
  fields: (t) => ({
    sku: t.string({ required: true, description: 'The SKU, at most once in the list.' }),
    ifUpdatedAt: t.field({
      type: 'DateTime',
      description: 'The `updatedAt` of the price that you last saw: when it has moved on, the row is refused (STALE).',
    }),
  }),
})

const SaleFilter = builder.inputType('SaleFilter', {
  description:
    'Which prices of a book to choose, by the products with their SKUs; all that is given holds, and nothing chooses all prices.',
  fields: (t) => ({
    tags: t.stringList({
      description: `One of these tags, in whatever case, of the product or its parent; at most ${SALE_FILTER_MAX}.`,
    }),
    nodeIds: t.idList({
      description: `Hierarchies or nodes to which, or below which, the product or its parent is attached; at most ${SALE_FILTER_MAX}.`,
    }),
  }),
})

/** The fields that choose the prices; `otherwise` says what is chosen without any of them. */
export function campaignTarget(t: InputBuilder, otherwise: string) {
  return {
    skus: t.stringList({ description: `The SKUs of the prices, at most ${SALE_ROWS_MAX}. ${otherwise}` }),
    rows: t.field({
      type: [SaleRowInput],
      description: `In place of \`skus\`: with the \`updatedAt\` of each price, at most ${SALE_ROWS_MAX}.`,
    }),
    filter: t.field({
      type: SaleFilter,
      description: `In place of \`skus\`: what the prices have, at most ${SALE_ROWS_MAX} of them.`,
    }),
  }
}

/** How the members that choose the prices are read. */
export const campaignMembers: InputMembers = {
  filter: { members: { node_ids: idMember('Hierarchy', 'HierarchyNode') } },
}
