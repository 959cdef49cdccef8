/** Offerings: the type Offering, its queries, and the edges between offerings, subscription products and plans. */
import type { FieldMap } from '@pothos/core'
import type { Offering } from '../../domain/subscriptions/offering.ts'
import { offering, offerings } from '../../operations/subscriptions/offering.ts'
import { builder } from '../schema/builder.ts'
import { defineConnection } from '../schema/connection.ts'
import type { CursorKey } from '../schema/cursor.ts'
import type { FieldBuilder } from '../schema/graph-types.ts'
import { defineNamedList, namedListArgs } from '../schema/named-list.ts'
import { implementNode } from '../schema/node.ts'
import { OwnerEnum } from '../schema/owner.ts'
import { childRecordConnection } from '../schema/record-connection.ts'
import { namedClauses } from '../schema/record-filter.ts'
import { PlanConnectionRef, PlanRef } from './plan.ts'
import {
  SubscriptionProductConnectionRef,
  SubscriptionProductRef,
  subscriptionProductClauses,
  subscriptionProductListArgs,
} from './subscription-product.ts'

/** The fields that an offering and its copy in a subscription share. */
export function offeringFields(t: FieldBuilder<Offering>) {
  return {
    externalRef: t.exposeString('externalRef', { nullable: true, description: 'A free reference to another system.' }),
    name: t.exposeString('name', { description: 'The name of the offering.' }),
    description: t.exposeString('description', { nullable: true, description: 'The description of the offering.' }),
    owner: t.field({ type: OwnerEnum, description: 'Who owns the offering.', resolve: () => 'store' as const }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the offering was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the offering was last changed.' }),
  } satisfies FieldMap
}

/** The order that the client gave the products or plans of an offering. */
const positionOrder = {
  order: ['integer', 'uuid'],
  key: ({ position, id }: { readonly position: number; readonly id: string }): CursorKey => [position, id],
} as const

export const OfferingRef = builder.objectRef<Offering>('Offering')
const OfferingConnectionRef = defineConnection(OfferingRef, 'anyone')

implementNode(OfferingRef, {
  description: 'Subscription products that are sold together, and the plans that they are sold under.',
  right: 'anyone',
  load: (id, ctx) => offering(ctx, { id }),
  rootField: {
    name: 'offering',
    noun: 'offering',
    example: 'c0ffee00-000d-4000-8000-000000000001',
    description: 'One offering; null when there is none.',
  },
  fields: (t) => ({
    ...offeringFields(t),
    products: t.field({
      type: SubscriptionProductConnectionRef,
      description: 'The products, in the order of the offering.',
      args: subscriptionProductListArgs,
      resolve: ({ id }, { filter, ...args }, { loaders }) =>
        childRecordConnection(
          args,
          id,
          subscriptionProductClauses(filter),
          loaders.productListByOfferingId,
          positionOrder,
        ),
    }),
    plans: t.field({
      type: PlanConnectionRef,
      description: 'The plans, in the order of the offering.',
      args: namedListArgs,
      resolve: ({ id }, { filter, ...args }, { loaders }) =>
        childRecordConnection(args, id, namedClauses(filter), loaders.planListByOfferingId, positionOrder),
    }),
  }),
})

builder.objectField(PlanRef, 'offerings', (t) =>
  t.field({
    type: OfferingConnectionRef,
    description: 'The offerings that have the plan, oldest first.',
    args: namedListArgs,
    resolve: ({ id }, { filter, ...args }, { loaders }) =>
      childRecordConnection(args, id, namedClauses(filter), loaders.offeringListByPlanId),
  }),
)

builder.objectField(SubscriptionProductRef, 'offerings', (t) =>
  t.field({
    type: OfferingConnectionRef,
    description: 'The offerings that have the product, oldest first.',
    args: namedListArgs,
    resolve: ({ id }, { filter, ...args }, { loaders }) =>
      childRecordConnection(args, id, namedClauses(filter), loaders.offeringListByProductId),
  }),
)

defineNamedList('offerings', OfferingConnectionRef, {
  right: 'anyone',
  description: 'All offerings, oldest first.',
  reads: offerings,
})
