/** Offerings: use cases. An offering lists subscription products and plans. */
import { assertValid, notFound } from '../../domain/input/errors.ts'
import { type NewRecord, type Reference, resolveReferences } from '../../domain/input/record.ts'
import {
  applyOfferingPatch,
  type ComposedOffering,
  newOffering,
  type OfferingPatch,
  type ResolvedLinks,
  readOffering,
  readOfferingUpdate,
} from '../../domain/subscriptions/offering.ts'
import { newId } from '../../persistence/database/id.ts'
import { lockReferenced } from '../../persistence/database/reference.ts'
import type { Transaction } from '../../persistence/database/transaction.ts'
import { insertOffering, lockOffering, offeringTable, replaceOffering } from '../../persistence/subscriptions/offering.ts'
import { command } from '../operation.ts'
import { recordDelete } from '../record-commands.ts'
import { recordById, recordReads } from '../record-reads.ts'

/** An offering by its raw id, null when there is none. */
export const offering = recordById('offering', 'anyone', ({ offeringById }) => offeringById)

/** All offerings, in pages. */
export const offerings = recordReads('offerings', 'anyone', offeringTable)

/** Creates an offering, with `data.id` if given. Throws `validation` for products and plans that do not exist. */
export const createOffering = command<{ data: unknown }, NewRecord<OfferingPatch>, undefined, ComposedOffering>({
  name: 'createOffering',
  right: 'admin',
  read: ({ data }) => readOffering(data),
  run: async (tx, { id, patch }, _, ctx) => {
    const created = newOffering(patch, await resolveLinks(tx, patch), id ?? newId(ctx.now), ctx.now)
    await insertOffering(tx, created)
    return created
  },
})

/**
 * Changes the given members of an offering; equal values write nothing. Subscriptions keep their copies (subscription.keeps-its-copies).
 */
export const updateOffering = command<{ offeringId: string; data: unknown }, OfferingPatch, ComposedOffering, ComposedOffering>({
  name: 'updateOffering',
  right: 'admin',
  read: ({ offeringId, data }, _, stored) => readOfferingUpdate(data, offeringId, stored),
  load: (tx, { offeringId }) => lockExisting(tx, offeringId),
  run: async (tx, patch, stored, ctx) => {
    const updated = applyOfferingPatch(stored, patch, await resolveLinks(tx, patch), ctx.now)
    if (updated !== stored) await replaceOffering(tx, stored, updated)
    return updated
  },
})

/**
 * Deletes an offering and returns it. Its products and plans stay, and subscriptions keep their copies (subscription.keeps-its-copies).
 */
export const deleteOffering = recordDelete<{ offeringId: string }, ComposedOffering>({
  name: 'deleteOffering',
  table: offeringTable,
  load: (tx, { offeringId }) => lockExisting(tx, offeringId),
})

async function lockExisting(tx: Transaction, id: string): Promise<ComposedOffering> {
  const stored = await lockOffering(tx, id, 'UPDATE')
  if (!stored) throw notFound(['id'], 'No such offering')
  return stored
}

/** Resolves and locks the products and plans of an offering. One statement for each relationship that is given. */
async function resolveLinks(tx: Transaction, { products, plans }: OfferingPatch): Promise<ResolvedLinks> {
  const productLinks = await resolve(tx, 'subscription product', products, 'products')
  const planLinks = await resolve(tx, 'plan', plans, 'plans')
  assertValid([...productLinks.violations, ...planLinks.violations])
  return { productIds: productLinks.ids, planIds: planLinks.ids }
}

async function resolve(
  tx: Transaction,
  noun: 'subscription product' | 'plan',
  references: readonly Reference[] | undefined,
  relationship: string,
) {
  return resolveReferences(references, await lockReferenced(tx, noun, references ?? []), ['relationships', relationship, 'data'], noun)
}
