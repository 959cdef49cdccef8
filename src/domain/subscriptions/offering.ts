/** Offerings: subscription products that are sold together, and the plans under which they are sold (offering.products-with-plans). */
import type { InputReader } from '../input/input-reader.ts'
import { DESCRIPTION_MAX, EXTERNAL_REF_MAX, NAME_MAX, NAME_MIN, OFFERING_RECORDS_MAX } from '../input/limits.ts'
import { applyPatch, type PatchOf, type StoredRecord } from '../input/patch.ts'
import { type Reference, readReferences, recordReaders } from '../input/record.ts'

/** A stored offering without its products and plans. */
export interface Offering extends StoredRecord {
  readonly externalRef: string | null
  readonly name: string
  readonly description: string | null
}

/** An offering with its products and plans, in the order given, without duplicates. */
export interface ComposedOffering extends Offering {
  readonly productIds: readonly string[]
  readonly planIds: readonly string[]
}

/** A partial update of an offering. Given products and plans replace all stored ones. */
export interface OfferingPatch extends PatchOf<Offering> {
  readonly products: readonly Reference[] | undefined
  readonly plans: readonly Reference[] | undefined
}

/** The ids that the references of a patch resolve to; undefined for references that are not given. */
export type ResolvedLinks = PatchOf<ComposedOffering, 'productIds' | 'planIds'>

/** Readers of an offering's `data`: `{ id?, type: 'subscription_offering', attributes, relationships? }`. */
export const { readNew: readOffering, readUpdate: readOfferingUpdate } = recordReaders('subscription_offering', readOfferingPatch)

/** A new offering from the input of a create, which has a name. `now` is in epoch milliseconds. */
export function newOffering(
  { name, description, externalRef }: OfferingPatch,
  links: ResolvedLinks,
  id: string,
  now: number,
): ComposedOffering {
  return {
    id,
    externalRef: externalRef ?? null,
    name: name as string,
    description: description ?? null,
    productIds: [...new Set(links.productIds ?? [])],
    planIds: [...new Set(links.planIds ?? [])],
    createdAt: now,
    updatedAt: now,
  }
}

/** The offering after the patch; the same object when nothing changes. */
export function applyOfferingPatch(stored: ComposedOffering, patch: OfferingPatch, links: ResolvedLinks, now: number): ComposedOffering {
  const { name, description, externalRef } = patch
  const productIds = [...new Set(links.productIds ?? stored.productIds)]
  const planIds = [...new Set(links.planIds ?? stored.planIds)]
  return applyPatch(stored, { name, description, externalRef, productIds, planIds }, now)
}

function readOfferingPatch(attributes: InputReader, { create }: { create: boolean }, reader: InputReader): OfferingPatch {
  const text = {
    name: attributes.text('name', { required: create, min: NAME_MIN, max: NAME_MAX, isName: true }) ?? undefined,
    description: attributes.text('description', { nullable: true, max: DESCRIPTION_MAX }),
    externalRef: attributes.text('external_ref', { nullable: true, max: EXTERNAL_REF_MAX }),
  }
  const relationships = reader.object('relationships') ?? undefined
  return {
    ...text,
    products: relationships && readReferences(relationships, 'products', 'subscription_product', OFFERING_RECORDS_MAX),
    plans: relationships && readReferences(relationships, 'plans', 'subscription_plan', OFFERING_RECORDS_MAX),
  }
}
