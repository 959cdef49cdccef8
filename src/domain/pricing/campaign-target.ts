/** Targets of campaigns: the prices of a book whose sales one call changes. */
import type { Path, Violation } from '../input/errors.ts'
import { uuid } from '../input/formats.ts'
import type { InputReader } from '../input/input-reader.ts'
import { SALE_FILTER_MAX, SALE_ROWS_MAX, SKU_MAX, TAG_MAX } from '../input/limits.ts'

/** One price by its SKU. */
export interface CampaignRow {
  readonly sku: string
  /** The `updatedAt` that the client saw last (write.if-updated-at), in epoch milliseconds; null for any. */
  readonly ifUpdatedAt: number | null
  /** Where the input names the row. */
  readonly place: Path
}

/**
 * Products by which prices are chosen: those that have one of the tags, and are attached to one of the nodes or below
 * it, themselves or by their parent (campaign.filter-by-products). Null does not restrict; both null choose all prices
 * of the book.
 */
export interface CampaignFilter {
  /** In lower case. */
  readonly tags: readonly string[] | null
  readonly nodeIds: readonly string[] | null
}

/** The prices that a client named, or a filter. */
export type CampaignTarget = { readonly rows: readonly CampaignRow[] } | { readonly filter: CampaignFilter }

/**
 * Reads one of `skus: [text]`, `rows: [{ sku, if_updated_at? }]` and `filter: { tags?, node_ids? }`; null when none is
 * given and `required` is false. No SKU may be given twice.
 */
export function readCampaignTarget(
  reader: InputReader,
  { required }: { required: boolean },
): CampaignTarget | null | undefined {
  const given = (['skus', 'rows', 'filter'] as const).filter((name) => reader.raw(name, { nullable: true }) != null)
  const [first, second] = given
  if (first === undefined)
    return required ? reader.addViolation('skus', 'REQUIRED', 'must be given, or rows or filter in its place') : null
  if (second !== undefined) return reader.addViolation(second, 'INVALID_VALUE', `must not be given beside ${first}`)
  if (first === 'filter') return readFilter(reader)
  const rows = reader.list(
    first,
    (entries, index) => (first === 'skus' ? readSku(entries, index) : readRow(entries, index)),
    {
      max: SALE_ROWS_MAX,
    },
  )
  if (rows) reader.addViolations(first, repeated(rows, first === 'rows'))
  return rows && { rows }
}

const skuRule = { required: true, min: 1, max: SKU_MAX }

function readSku(skus: InputReader, index: number): CampaignRow {
  return { sku: skus.text(index, skuRule) ?? '', ifUpdatedAt: null, place: ['skus', index] }
}

function readRow(rows: InputReader, index: number): CampaignRow {
  const row = rows.object(index, { required: true })
  return {
    sku: row?.text('sku', skuRule) ?? '',
    ifUpdatedAt: row?.instant('if_updated_at', { nullable: true }) ?? null,
    place: ['rows', index],
  }
}

/** The violations of SKUs that an earlier row has. A SKU that can't be read is empty and already has its violation. */
function repeated(rows: readonly CampaignRow[], isObject: boolean): Violation[] {
  const seen = new Set<string>()
  return rows.flatMap(({ sku }, index): Violation[] => {
    const isFirst = sku === '' || seen.size < seen.add(sku).size
    return isFirst ? [] : [{ code: 'DUPLICATE', path: isObject ? [index, 'sku'] : [index], message: 'is given twice' }]
  })
}

function readFilter(reader: InputReader): CampaignTarget | undefined {
  const filter = reader.object('filter')
  const texts = (name: string, rule: { max: number } | { format: typeof uuid }) =>
    filter?.list(name, (entries, index) => entries.text(index, { ...rule, required: true })?.toLowerCase() ?? '', {
      nullable: true,
      max: SALE_FILTER_MAX,
    }) ?? null
  return filter
    ? { filter: { tags: texts('tags', { max: TAG_MAX }), nodeIds: texts('node_ids', { format: uuid }) } }
    : undefined
}
