/** Offering mutations: create, update, delete. */
import { createOffering, deleteOffering, updateOffering } from '../../operations/subscriptions/offering.ts'
import { defineMutation } from '../schema/define-mutation.ts'
import { type InputMembers, idMember } from '../schema/graph-input.ts'
import { OfferingRef } from './offering.ts'

const DESCRIPTION = 'The description, at most 1024 characters.'
const REFERENCE = 'A free reference to another system, at most 2048 characters.'

const members: InputMembers = {
  products: { name: 'productIds', ...idMember('SubscriptionProduct') },
  plans: { name: 'planIds', ...idMember('Plan') },
}

defineMutation('createOffering', {
  description: 'Creates an offering of subscription products under plans.',
  right: 'admin',
  guard: 'idempotencyKey',
  input: (t) => ({
    name: t.string({ required: true, description: 'The name, 3 to 1024 characters.' }),
    description: t.string({ description: DESCRIPTION }),
    externalRef: t.string({ description: REFERENCE }),
    productIds: t.idList({ description: 'The subscription products in the order to show them, at most 1000.' }),
    planIds: t.idList({ description: 'The plans in the order to show them, at most 1000.' }),
  }),
  members,
  result: { name: 'offering', type: OfferingRef, description: 'The new offering.' },
  run: (ctx, { data }, options) => createOffering(ctx, { data }, options),
})

defineMutation('updateOffering', {
  description:
    'Changes the members that are given; others keep their value, and null clears where null is allowed. Products and plans are replaced as whole sets. Subscriptions keep their copies.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'Offering', noun: 'offering' },
  input: (t) => ({
    name: t.string({ description: 'The name, 3 to 1024 characters; it can not be cleared.' }),
    description: t.string({ description: `${DESCRIPTION} Null clears it.` }),
    externalRef: t.string({ description: `${REFERENCE} Null clears it.` }),
    productIds: t.idList({ description: 'All its subscription products in the order to show them, at most 1000; an empty list for none.' }),
    planIds: t.idList({ description: 'All its plans in the order to show them, at most 1000; an empty list for none.' }),
  }),
  members,
  result: { name: 'offering', type: OfferingRef, description: 'The offering after the change.' },
  run: (ctx, { id, data }, options) => updateOffering(ctx, { offeringId: id, data }, options),
})

defineMutation('deleteOffering', {
  description: 'Deletes an offering. Its products and plans stay; subscriptions keep their copies.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'Offering', noun: 'offering' },
  result: { name: 'offering', type: OfferingRef, description: 'The offering as it was.' },
  run: (ctx, { id }, options) => deleteOffering(ctx, { offeringId: id }, options),
})
