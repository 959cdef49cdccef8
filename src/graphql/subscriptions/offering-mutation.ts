/** Offering mutations: create, update, delete. */
import { offeringRecord } from '../../domain/subscriptions/offering.ts'
import { createOffering, deleteOffering, updateOffering } from '../../operations/subscriptions/offering.ts'
import { cleared, kept } from '../pricing/record-input.ts'
import { defineRecordMutations } from '../pricing/record-mutations.ts'
import { OfferingRef } from './offering.ts'

defineRecordMutations('Offering', {
  record: offeringRecord,
  ref: OfferingRef,
  noun: 'offering',
  members: {
    name: kept('The name, {limits}'),
    description: cleared('The description, {limits}.'),
    externalRef: cleared('A free reference to another system, {limits}.'),
    productIds: {
      ids: ['SubscriptionProduct'],
      description: [
        'The subscription products in the order to show them, {limits}.',
        'All its subscription products in the order to show them, {limits}; an empty list for none.',
      ],
    },
    planIds: {
      ids: ['Plan'],
      description: [
        'The plans in the order to show them, {limits}.',
        'All its plans in the order to show them, {limits}; an empty list for none.',
      ],
    },
  },
  create: { description: 'Creates an offering of subscription products under plans.', run: createOffering },
  update: {
    description:
      'Changes the members that are given; others keep their value, and null clears where null is allowed. Products and plans are replaced as whole sets. Subscriptions keep their copies.',
    run: updateOffering,
  },
  remove: {
    description: 'Deletes an offering. Its products and plans stay; subscriptions keep their copies.',
    run: deleteOffering,
  },
})
