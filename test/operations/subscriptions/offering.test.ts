import { beforeEach, describe, expect, it } from 'vitest'
import { createOffering, offering, updateOffering } from '../../../src/operations/subscriptions/offering.ts'
import { createPlan, plan, updatePlan } from '../../../src/operations/subscriptions/plan.ts'
import type { Services } from '../../../src/request/context.ts'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { START, useServer } from '../../support/server.ts'
import { contextAs, idOf, makeOffering, makePlan, makeProduct } from '../../support/subscriptions.ts'

const database = useDatabase()
const server = useServer(database)
const ctx = (now = START, account: string | null = null) => contextAs(server.services as Services, now, account)
const [one, two, three] = [1, 2, 3].map((number) => idOf('plan', number)) as [string, string, string]

beforeEach(async () => {
  await reset(database)
  await makePlan(ctx(), one, { external_ref: 'monthly' })
  await makePlan(ctx(), two, { external_ref: 'twin' })
  await makePlan(ctx(), three, { external_ref: 'twin' })
  await makeProduct({ services: server.services, now: START }, idOf('product', 1), { externalRef: 'paper' })
})

const data = (attributes: object, relationships?: object) => ({
  type: 'subscription_offering',
  attributes,
  relationships,
})
const plans = (...references: unknown[]) => ({ plans: { data: references } })

async function resultOf(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work
  } catch (error) {
    const { kind, violations } = error as { kind: string; violations: { code: string; path: unknown[] }[] }
    return [kind, ...violations.map(({ code, path }) => `${path.join('.')} ${code}`)]
  }
}

async function stored(id: string) {
  return {
    offering: await database.prisma.offering.findUnique({ where: { id }, omit: { version: true } }),
    plans: (
      await database.prisma.offeringPlan.findMany({ where: { offeringId: id }, orderBy: { position: 'asc' } })
    ).map(({ planId }) => planId),
    products: (await database.prisma.offeringProduct.findMany({ where: { offeringId: id } })).map(
      ({ productId }) => productId,
    ),
  }
}

describe('offering.products-with-plans: createOffering', () => {
  it('createOffering stores products and plans in order, named by id or external_ref', async () => {
    const relationships = {
      ...plans(two, { type: 'subscription_plan', external_ref: 'monthly' }, two),
      products: { data: [{ external_ref: 'paper' }] },
    }
    const made = await createOffering(ctx(), { data: data({ name: 'Magazine', external_ref: 'mag' }, relationships) })
    expect(made).toMatchObject({
      name: 'Magazine',
      externalRef: 'mag',
      planIds: [two, one],
      productIds: [idOf('product', 1)],
    })
    expect(await stored(made.id)).toEqual({
      offering: {
        id: made.id,
        name: 'Magazine',
        externalRef: 'mag',
        description: null,
        createdAt: new Date(START),
        updatedAt: new Date(START),
      },
      plans: [two, one],
      products: [idOf('product', 1)],
    })
  })

  it('createOffering refuses unknown and ambiguous references with their paths, and writes nothing', async () => {
    const relationships = {
      products: { data: [{ external_ref: 'nothing' }, one] },
      ...plans(one, { external_ref: 'twin' }, idOf('plan', 9), idOf('product', 1)),
    }
    expect(await resultOf(createOffering(ctx(), { data: data({ name: 'Magazine' }, relationships) }))).toEqual([
      'validation',
      'relationships.products.data.0 NOT_FOUND',
      'relationships.products.data.1 NOT_FOUND',
      'relationships.plans.data.1 INVALID_VALUE',
      'relationships.plans.data.2 NOT_FOUND',
      'relationships.plans.data.3 NOT_FOUND',
    ])
    expect(await database.prisma.offering.count()).toBe(0)
  })

  it('an offering with an existing id is a conflict', async () => {
    await makeOffering(ctx(), idOf('offering', 1), {})
    expect(await resultOf(makeOffering(ctx(), idOf('offering', 1), {}))).toEqual(['conflict', 'id ID_TAKEN'])
    expect(await resultOf(makePlan(ctx(), one))).toEqual(['conflict', 'id ID_TAKEN'])
  })

  it('several offerings may have the same external_ref', async () => {
    for (const number of [1, 2]) await makeOffering(ctx(), idOf('offering', number), { external_ref: 'same' })
    expect(await database.prisma.offering.count({ where: { externalRef: 'same' } })).toBe(2)
  })
})

describe('updateOffering', () => {
  const id = idOf('offering', 1)
  beforeEach(() => makeOffering(ctx(), id, { description: 'd', plans: [one, two], products: [idOf('product', 1)] }))
  const update = (attributes: object, relationships?: object, now = START + 10) =>
    updateOffering(ctx(now), { id, data: data(attributes, relationships) })

  it('updateOffering replaces a given list, and keeps an absent one', async () => {
    await update({ name: 'New' }, plans(three, one))
    const { offering: row, plans: after, products } = await stored(id)
    expect([row?.name, row?.description, after, products]).toEqual(['New', 'd', [three, one], [idOf('product', 1)]])
    expect(row?.updatedAt).toEqual(new Date(START + 10))
    await update({}, plans())
    expect((await stored(id)).plans).toEqual([])
  })

  it('updateOffering writes the lists that differ, and no others', async () => {
    const { id } = await createOffering(ctx(), { data: data({ name: 'Magazine' }, plans(one, two)) })
    const listsWrittenBy = async (attributes: object, relationships?: object): Promise<string[]> => {
      const change = () => updateOffering(ctx(), { id, data: data(attributes, relationships) })
      const { statements } = await countStatements(database, change)
      const written = statements.map(
        (text) => /^(?:DELETE FROM|INSERT INTO) "public"\."(offering_product|offering_plan)"/.exec(text)?.[1],
      )
      return written.filter((table) => table !== undefined)
    }
    expect(await listsWrittenBy({ name: 'Paper' })).toEqual([])
    expect(await listsWrittenBy({}, plans(two, one))).toEqual(['offering_plan', 'offering_plan'])
    expect(await listsWrittenBy({}, { products: { data: [{ external_ref: 'paper' }] } })).toEqual([
      'offering_product',
      'offering_product',
    ])
    expect(await stored(id)).toMatchObject({
      offering: { name: 'Paper' },
      plans: [two, one],
      products: [idOf('product', 1)],
    })
  })

  it('patch.equal-values-write-nothing: updateOffering writes nothing when nothing changes', async () => {
    const version = async () => (await database.prisma.offering.findUniqueOrThrow({ where: { id } })).version
    const before = await version()
    await update({ description: 'd' }, plans(one, two))
    expect(await version()).toBe(before)
  })

  it('updateOffering does not find an unknown offering, and refuses a changed one as STALE', async () => {
    expect(await resultOf(updateOffering(ctx(), { id: idOf('offering', 9), data: {} }))).toEqual([
      'notFound',
      'id NOT_FOUND',
    ])
    const stale = updateOffering(ctx(), { id, data: data({ name: 'New' }) }, { ifUpdatedAt: START - 1 })
    expect(await resultOf(stale)).toEqual(['conflict', 'ifUpdatedAt STALE'])
  })

  it("after simultaneous replacements of an offering's products one of the lists is stored whole", async () => {
    await Promise.all([plans(one, two), plans(three), plans(two, three, one), plans()].map((set) => update({}, set)))
    expect([[one, two], [three], [two, three, one], []]).toContainEqual((await stored(id)).plans)
  })
})

describe('updatePlan', () => {
  const update = (attributes: object) =>
    updatePlan(ctx(START + 10), { id: one, data: { type: 'subscription_plan', attributes } })

  it('patch.absent-keeps-null-clears: updatePlan stores and returns the merged plan', async () => {
    const updated = await update({
      external_ref: null,
      fixed_price: { USD: { amount: 0 } },
      base_price_percentage: 33.3,
    })
    expect(await plan(ctx(), { id: one })).toEqual(updated)
    expect(updated).toMatchObject({
      name: 'Monthly',
      externalRef: null,
      fixedPrice: { USD: { amount: 0, includes_tax: false } },
      basePricePercentage: 33.3,
      updatedAt: START + 10,
    })
  })

  it('updatePlan checks the merged plan, and stores nothing of a refused one', async () => {
    expect(await resultOf(update({ billing_interval_type: 'year', billing_frequency: 84 }))).toEqual([
      'validation',
      'attributes.plan_length OUT_OF_RANGE',
    ])
    expect(await plan(ctx(), { id: one })).toMatchObject({ billingIntervalType: 'month', updatedAt: START })
    expect(await resultOf(updatePlan(ctx(), { id: idOf('plan', 9), data: {} }))).toEqual(['notFound', 'id NOT_FOUND'])
  })

  it('the largest numbers of a plan fit their columns', async () => {
    const attributes = {
      billing_interval_type: 'day',
      billing_frequency: 366_000,
      trial_period: 366_000,
      plan_length: 1,
    }
    expect(await update({ ...attributes, base_price_percentage: 10_000 })).toMatchObject({
      billingFrequency: 366_000,
      trialPeriod: 366_000,
    })
    expect(await update({ billing_frequency: 1, plan_length: 366_000 })).toMatchObject({ planLength: 366_000 })
  })
})

describe('right.shoppers-see-published-and-own', () => {
  it('a shopper reads offerings and plans and changes none', async () => {
    await makeOffering(ctx(), idOf('offering', 1), {})
    const shopper = ctx(START, idOf('account', 1))
    expect(await offering(shopper, { id: idOf('offering', 1) })).toMatchObject({ name: 'Magazine' })
    expect(await plan(shopper, { id: one.toUpperCase() })).toMatchObject({ name: 'Monthly' })
    expect(await plan(shopper, { id: idOf('plan', 9) })).toBeNull()
    for (const refused of [
      createPlan(shopper, { data: {} }),
      updatePlan(shopper, { id: one, data: {} }),
      createOffering(shopper, { data: {} }),
      updateOffering(shopper, { id: idOf('offering', 1), data: {} }),
    ]) {
      expect(await resultOf(refused)).toEqual(['forbidden'])
    }
  })
})
