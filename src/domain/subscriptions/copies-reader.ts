/** Readers of what exported subscriptions have copies of: plans, the offering, and items. */
import type { PathSegment } from '../input/errors.ts'
import type { InputReader } from '../input/input-reader.ts'
import { EXTERNAL_REF_MAX, ITEM_QUANTITY_MAX, NAME_MAX, OFFERING_RECORDS_MAX, SKU_MAX } from '../input/limits.ts'
import type { MemberRule } from '../input/member-rule.ts'
import { type Reference, readReference } from '../input/record.ts'
import { makeRecord, recordViolations } from '../input/record-change.ts'
import type { NewMembers, RecordDefinition, RecordOf } from '../input/record-definition.ts'
import type { Members } from '../input/record-members.ts'
import { readNew } from '../input/record-reader.ts'
import type { Item } from './agreement.ts'
import { offeringRecord } from './offering.ts'
import { type Plan, planRecord } from './plan.ts'
import type { OfferingCopy } from './subscription.ts'

/** An item of a line; what it leaves out is that of its product now. */
export interface LineItem {
  readonly product: Reference
  readonly quantity: number
  readonly name: string | null | undefined
  readonly sku: string | null | undefined
  readonly unitAmount: number | null | undefined
  readonly includesTax: boolean | null | undefined
}

/** Reads a list of items. With `isWhole` each is complete and names its product by id, and the list may be empty. */
export function readLineItems(
  reader: InputReader,
  isWhole: boolean,
  rule: MemberRule = {},
): LineItem[] | null | undefined {
  const complete = { required: isWhole, nullable: true }
  const items = reader.list(
    'items',
    (list, index): LineItem | undefined => {
      const entry = list.object(index, { required: true })
      if (!entry) return undefined
      const product = readReference(entry, 'product_id', ['subscription_product'], { required: true })
      if (isWhole && product && !('id' in product))
        entry.addViolation('product_id', 'INVALID_VALUE', 'must be an id in a line that has a copy of its offering')
      const unitAmount = entry.integer('unit_amount', { ...complete, min: 0 })
      const includesTax = entry.boolean('includes_tax', complete)
      if ((unitAmount == null) !== (includesTax == null))
        entry.addViolation('includes_tax', 'INVALID_STRUCTURE', 'goes with the amount of a unit: give both, or neither')
      return {
        product: product ?? { id: '' },
        quantity: entry.integer('quantity', { required: isWhole, min: 1, max: ITEM_QUANTITY_MAX }) ?? 1,
        name: entry.text('name', { ...complete, max: NAME_MAX }),
        sku: entry.text('sku', { ...complete, max: SKU_MAX }),
        unitAmount,
        includesTax,
      }
    },
    { ...rule, max: OFFERING_RECORDS_MAX },
  )
  if (items?.length === 0 && !isWhole)
    return reader.addViolation('items', 'REQUIRED', 'must have an entry, or be left out')
  const named = new Set<string>()
  for (const [index, item] of (items ?? []).entries()) {
    const name = item && JSON.stringify(item.product)
    if (name !== undefined && named.has(name))
      reader.addViolations('items', [
        { code: 'DUPLICATE', path: [index, 'product_id'], message: 'names the product of another entry' },
      ])
    if (name !== undefined) named.add(name)
  }
  return items?.filter((item) => item !== undefined) ?? (items as null | undefined)
}

/** An item of a complete line. */
export function toItem({ product, quantity, name, sku, unitAmount, includesTax }: LineItem): Item {
  return {
    productId: 'id' in product ? product.id : '',
    name: name ?? null,
    sku: sku ?? null,
    unitAmount: unitAmount ?? null,
    includesTax: includesTax ?? null,
    quantity,
  }
}

/** Reads the copy of a plan. */
export function readPlanCopy(reader: InputReader, name: PathSegment, rule: MemberRule): Plan | null | undefined {
  return readCopy(reader, name, planRecord, rule)
}

/** Reads the copy of an offering. */
export function readOfferingCopy(reader: InputReader, name: PathSegment): OfferingCopy | undefined {
  const copy = readCopy(reader, name, offeringRecord, { required: true }, withIds)
  const refs = reader
    .object(name)
    ?.list(
      'external_product_refs',
      (list, index) => list.text(index, { required: true, max: EXTERNAL_REF_MAX }) ?? '',
      { required: true, max: OFFERING_RECORDS_MAX },
    )
  return copy && refs ? { ...copy, externalProductRefs: refs } : undefined
}

type Given = Readonly<Record<string, unknown>>

/** The links of a copy, which names records by id, since they may be gone. */
function withIds(given: Given): Given {
  const ids = (links: unknown) => (links as readonly Reference[] | undefined)?.map((one) => ('id' in one ? one.id : ''))
  return { ...given, productIds: ids(given.productIds), planIds: ids(given.planIds) }
}

function readCopy<M extends Members>(
  reader: InputReader,
  name: PathSegment,
  record: RecordDefinition<M>,
  rule: MemberRule,
  resolve: (given: Given) => Given = (given) => given,
): RecordOf<M> | null | undefined {
  const given = reader.raw(name, rule)
  if (given == null) return given
  const { value, violations } = readNew(record, given)
  reader.addViolations(name, violations)
  const copy = value && reader.object(name)
  if (!copy) return undefined
  copy.raw('id', { required: true })
  const attributes = copy.object('attributes')
  const createdAt = attributes?.instant('created_at', { required: true })
  const updatedAt = attributes?.instant('updated_at', { required: true })
  if (value.id === undefined || createdAt == null || updatedAt == null) return undefined
  const members = resolve(value.patch) as unknown as NewMembers<M>
  const made = { ...makeRecord(record, members, value.id, createdAt), updatedAt } as RecordOf<M>
  const broken = recordViolations(record, made)
  reader.addViolations(name, broken)
  return broken.length === 0 ? made : undefined
}
