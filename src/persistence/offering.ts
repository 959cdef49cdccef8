import { keptPositions } from '../domain/kept-positions.ts'
import type { ComposedOffering, Offering } from '../domain/offering.ts'
import type { Prisma, Offering as Row } from '../generated/prisma/client.ts'
import type { RecordList } from './record-list.ts'
import type { Transaction } from './transaction.ts'

export function offeringFromRow(row: Omit<Row, 'version'> & Partial<Row>): Offering {
  const { version: _, ...columns } = row
  return { ...columns, createdAt: row.createdAt.getTime(), updatedAt: row.updatedAt.getTime() }
}

/** What a page reads of an offering. */
export const offeringMembers = ['id', 'externalRef', 'name', 'description', 'createdAt', 'updatedAt'] as const

export const offeringList: RecordList<Omit<Row, 'version'>, Offering> = {
  table: 'offering',
  members: offeringMembers,
  filters: { name: 'text', externalRef: 'text' },
  itemOf: offeringFromRow,
}

function toRow({ id, externalRef, name, description, createdAt, updatedAt }: Offering) {
  return { id, externalRef, name, description, createdAt: new Date(createdAt), updatedAt: new Date(updatedAt) }
}

/** An offering with the ids of what it holds, in their order; null when there is none. */
export async function findComposedOffering(tx: Transaction, id: string): Promise<ComposedOffering | null> {
  const row = await tx.offering.findUnique({ where: { id } })
  if (!row) return null
  const ofIt = { where: { offeringId: id }, orderBy: { position: 'asc' } } as const
  const products = await tx.offeringProduct.findMany({ ...ofIt, select: { productId: true } })
  const plans = await tx.offeringPlan.findMany({ ...ofIt, select: { planId: true } })
  return { ...offeringFromRow(row), productIds: products.map(({ productId }) => productId), planIds: plans.map(({ planId }) => planId) }
}

export async function insertOffering(tx: Transaction, offering: ComposedOffering): Promise<void> {
  await tx.offering.create({ data: toRow(offering) })
  await insertProducts(tx, offering, new Map())
  await insertPlans(tx, offering, new Map())
}

/** Writes the record and replaces what it holds; what it held before stays in its place where it can. */
export async function replaceOffering(tx: Transaction, offering: ComposedOffering): Promise<void> {
  const ofIt = { where: { offeringId: offering.id } }
  await tx.offering.update({ where: { id: offering.id }, data: toRow(offering) })
  const products = await tx.offeringProduct.findMany(ofIt)
  const plans = await tx.offeringPlan.findMany(ofIt)
  await tx.offeringProduct.deleteMany(ofIt)
  await tx.offeringPlan.deleteMany(ofIt)
  await insertProducts(tx, offering, new Map(products.map(({ productId, position }) => [productId, position])))
  await insertPlans(tx, offering, new Map(plans.map(({ planId, position }) => [planId, position])))
}

type Positions = ReadonlyMap<string, number>

async function insertProducts(tx: Transaction, { id: offeringId, productIds }: ComposedOffering, stored: Positions): Promise<void> {
  const positions = keptPositions(stored, productIds)
  const data = productIds.map((productId, index) => ({ offeringId, productId, position: positions[index] as number }))
  if (data.length > 0) await tx.offeringProduct.createMany({ data })
}

async function insertPlans(tx: Transaction, { id: offeringId, planIds }: ComposedOffering, stored: Positions): Promise<void> {
  const positions = keptPositions(stored, planIds)
  const data = planIds.map((planId, index) => ({ offeringId, planId, position: positions[index] as number }))
  if (data.length > 0) await tx.offeringPlan.createMany({ data })
}

/** How many offerings there are under a condition, and the names of the first few. */
export async function someOfferings(tx: Transaction, where: Prisma.OfferingWhereInput): Promise<{ count: number; names: string[] }> {
  const first = await tx.offering.findMany({ where, select: { name: true }, orderBy: { name: 'asc' }, take: 3 })
  return { count: await tx.offering.count({ where }), names: first.map(({ name }) => name) }
}
