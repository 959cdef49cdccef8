/** Offerings in the database: an offering with its lists of products and plans. */
import { isDeepStrictEqual } from 'node:util'
import type { ComposedOffering, Offering } from '../../domain/subscriptions/offering.ts'
import type { Prisma, Offering as Row } from '../../generated/prisma/client.ts'
import { stablePositions } from '../../lib/stable-positions.ts'
import type { LockStrength } from '../database/row-lock.ts'
import { insertRecord, lockRecord, type Table, updateRecord } from '../database/table.ts'
import type { Transaction } from '../database/transaction.ts'

/** The table of offerings, without their lists of products and plans. */
export const offeringTable: Table<Omit<Row, 'version'>, Offering> = {
  model: 'offering',
  fromRow: (row) => ({ ...row, createdAt: row.createdAt.getTime(), updatedAt: row.updatedAt.getTime() }),
  toRow: ({ id, externalRef, name, description, createdAt, updatedAt }): Prisma.OfferingUncheckedCreateInput => {
    return { id, externalRef, name, description, createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) }
  },
}

/** Locks an offering and reads it with the ids of its products and plans in their order; null when there is none. Three statements. */
export async function lockOffering(tx: Transaction, id: string, strength: LockStrength): Promise<ComposedOffering | null> {
  const offering = await lockRecord(tx, offeringTable, id, strength)
  if (!offering) return null
  const ofOffering = { where: { offeringId: id }, orderBy: { position: 'asc' } } as const
  const products = await tx.offeringProduct.findMany({ ...ofOffering, select: { productId: true } })
  const plans = await tx.offeringPlan.findMany({ ...ofOffering, select: { planId: true } })
  return { ...offering, productIds: products.map(({ productId }) => productId), planIds: plans.map(({ planId }) => planId) }
}

/** Inserts a new offering and its lists. */
export async function insertOffering(tx: Transaction, offering: ComposedOffering): Promise<void> {
  await insertRecord(tx, offeringTable, offering)
  await insertProducts(tx, offering, new Map())
  await insertPlans(tx, offering, new Map())
}

/**
 * Writes an offering, which is stored as `stored`, and replaces those of its lists that differ; products and plans that stay keep their
 * positions where possible.
 */
export async function replaceOffering(tx: Transaction, stored: ComposedOffering, offering: ComposedOffering): Promise<void> {
  const ofOffering = { where: { offeringId: offering.id } }
  await updateRecord(tx, offeringTable, stored, offering)
  if (!isDeepStrictEqual(offering.productIds, stored.productIds)) {
    const products = await tx.offeringProduct.findMany(ofOffering)
    await tx.offeringProduct.deleteMany(ofOffering)
    await insertProducts(tx, offering, new Map(products.map(({ productId, position }) => [productId, position])))
  }
  if (!isDeepStrictEqual(offering.planIds, stored.planIds)) {
    const plans = await tx.offeringPlan.findMany(ofOffering)
    await tx.offeringPlan.deleteMany(ofOffering)
    await insertPlans(tx, offering, new Map(plans.map(({ planId, position }) => [planId, position])))
  }
}

type Positions = ReadonlyMap<string, number>

async function insertProducts(tx: Transaction, { id: offeringId, productIds }: ComposedOffering, stored: Positions): Promise<void> {
  const positions = stablePositions(stored, productIds)
  const data = productIds.map((productId, index) => ({ offeringId, productId, position: positions[index] as number }))
  if (data.length > 0) await tx.offeringProduct.createMany({ data })
}

async function insertPlans(tx: Transaction, { id: offeringId, planIds }: ComposedOffering, stored: Positions): Promise<void> {
  const positions = stablePositions(stored, planIds)
  const data = planIds.map((planId, index) => ({ offeringId, planId, position: positions[index] as number }))
  if (data.length > 0) await tx.offeringPlan.createMany({ data })
}

/** The external_refs of products in their order, without products that have none. One statement. */
export async function externalRefsOf(tx: Transaction, productIds: readonly string[]): Promise<string[]> {
  const products = await tx.subscriptionProduct.findMany({
    where: { id: { in: [...productIds] } },
    select: { id: true, externalRef: true },
  })
  const refs = new Map(products.map(({ id, externalRef }) => [id, externalRef]))
  return productIds.map((id) => refs.get(id) ?? null).filter((ref) => ref !== null)
}
