/** Offerings: the subscription products that are sold together and the plans that they are sold under. */

import type { Violation } from '../input/errors.ts'
import { type InputReader, readInput } from '../input/input-reader.ts'
import { DESCRIPTION_MAX, EXTERNAL_REF_MAX, NAME_MAX, NAME_MIN, OFFERING_RECORDS_MAX } from '../input/limits.ts'
import { applyPatch } from '../input/patch.ts'
import { type Reference, readRecordHead, readReferences } from '../input/record.ts'

export interface Offering {
  readonly id: string
  readonly externalRef: string | null
  readonly name: string
  readonly description: string | null
  /** Epoch milliseconds, like updatedAt. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** An offering with what it holds, in the order given; no id twice. */
export interface ComposedOffering extends Offering {
  readonly productIds: readonly string[]
  readonly planIds: readonly string[]
}

/** Absent keeps, null clears, a value sets; products and plans that are given replace the whole set. */
export interface OfferingPatch {
  readonly name: string | undefined
  readonly description: string | null | undefined
  readonly externalRef: string | null | undefined
  readonly products: readonly Reference[] | undefined
  readonly plans: readonly Reference[] | undefined
}

/** What a new offering is made of: an id when the client chose one, and a name at least. */
export interface NewOffering {
  readonly id: string | undefined
  readonly patch: OfferingPatch
}

/** What the references of a patch were found to be. */
export interface ResolvedLinks {
  readonly productIds: readonly string[] | undefined
  readonly planIds: readonly string[] | undefined
}

/** Reads `data` of a new offering: `{ id?, type: 'subscription_offering', attributes, relationships? }`. */
export function readOffering(data: unknown): { value: NewOffering | undefined; violations: Violation[] } {
  return readInput(data, (reader) => {
    const { id, attributes } = readRecordHead(reader, 'subscription_offering')
    return attributes && { id, patch: readOfferingPatch(reader, attributes, { create: true }) }
  })
}

/** Reads `data` of an offering's update; `data.id`, when given, must be `offeringId`. */
export function readOfferingUpdate(data: unknown, offeringId: string): { value: OfferingPatch | undefined; violations: Violation[] } {
  return readInput(data, (reader) => {
    const { attributes } = readRecordHead(reader, 'subscription_offering', offeringId)
    return attributes && readOfferingPatch(reader, attributes, { create: false })
  })
}

/** An offering of a patch that holds a name. */
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
    productIds: distinct(links.productIds ?? []),
    planIds: distinct(links.planIds ?? []),
    createdAt: now,
    updatedAt: now,
  }
}

/**
 * The offering after the patch; the same object when nothing changes, otherwise with an `updatedAt` that rose (record.updated-at-rises).
 */
export function applyOfferingPatch(stored: ComposedOffering, patch: OfferingPatch, links: ResolvedLinks, now: number): ComposedOffering {
  const { name, description, externalRef } = patch
  const productIds = distinct(links.productIds ?? stored.productIds)
  const planIds = distinct(links.planIds ?? stored.planIds)
  return applyPatch(stored, { name, description, externalRef, productIds, planIds }, now)
}

function readOfferingPatch(reader: InputReader, attributes: InputReader, { create }: { create: boolean }): OfferingPatch {
  const text = {
    name: attributes.text('name', { required: create, min: NAME_MIN, max: NAME_MAX }) ?? undefined,
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

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)]
}
