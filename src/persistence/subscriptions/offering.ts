import type { ComposedOffering, Offering } from '../../domain/subscriptions/offering.ts'
import type { Prisma, Offering as Row } from '../../generated/prisma/client.ts'
import { stablePositions } from '../../lib/stable-positions.ts'
import type { LockStrength } from '../database/row-lock.ts'
import { insertRecord, lockRecord, type Table, updateRecord } from '../database/table.ts'
import type { Transaction } from '../database/transaction.ts'

export function offeringFromRow(row: Omit<Row, 'version'>): Offering {
  return { ...row, createdAt: row.createdAt.getTime(), updatedAt: row.updatedAt.getTime() }
}

/** The offerings' own rows; what they hold is in rows of other tables. */
export const offeringTable: Table<Omit<Row, 'version'>, Offering> = {
  model: 'offering',
  fromRow: offeringFromRow,
  toRow,
}

function toRow({ id, externalRef, name, description, createdAt, updatedAt }: Offering): Prisma.OfferingUncheckedCreateInput {
  return { id, externalRef, name, description, createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) }
}

/** An offering under a lock, with the ids of what it holds, in their order; null when there is none. */
export async function lockOffering(tx: Transaction, id: string, strength: LockStrength): Promise<ComposedOffering | null> {
  const offering = await lockRecord(tx, offeringTable, id, strength)
  if (!offering) return null
  const ofIt = { where: { offeringId: id }, orderBy: { position: 'asc' } } as const
  const products = await tx.offeringProduct.findMany({ ...ofIt, select: { productId: true } })
  const plans = await tx.offeringPlan.findMany({ ...ofIt, select: { planId: true } })
  return { ...offering, productIds: products.map(({ productId }) => productId), planIds: plans.map(({ planId }) => planId) }
}

export async function insertOffering(tx: Transaction, offering: ComposedOffering): Promise<void> {
  await insertRecord(tx, offeringTable, offering)
  await insertProducts(tx, offering, new Map())
  await insertPlans(tx, offering, new Map())
}

/** Writes the record and replaces what it holds; what it held before stays in its place where it can. */
export async function replaceOffering(tx: Transaction, offering: ComposedOffering): Promise<void> {
  const ofIt = { where: { offeringId: offering.id } }
  await updateRecord(tx, offeringTable, offering)
  const products = await tx.offeringProduct.findMany(ofIt)
  const plans = await tx.offeringPlan.findMany(ofIt)
  await tx.offeringProduct.deleteMany(ofIt)
  await tx.offeringPlan.deleteMany(ofIt)
  await insertProducts(tx, offering, new Map(products.map(({ productId, position }) => [productId, position])))
  await insertPlans(tx, offering, new Map(plans.map(({ planId, position }) => [planId, position])))
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

/** The external_refs of those of the products that have one, in the products' order. */
export async function externalRefsOf(tx: Transaction, productIds: readonly string[]): Promise<string[]> {
  const products = await tx.subscriptionProduct.findMany({
    where: { id: { in: [...productIds] } },
    select: { id: true, externalRef: true },
  })
  const refs = new Map(products.map(({ id, externalRef }) => [id, externalRef]))
  return productIds.map((id) => refs.get(id) ?? null).filter((ref) => ref !== null)
}
