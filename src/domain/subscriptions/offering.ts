/**
 * Offerings: subscription products that are sold together, and the plans under which they are sold
 * (offering.products-with-plans).
 */
import { DESCRIPTION_MAX, NAME_MAX, NAME_MIN, OFFERING_RECORDS_MAX } from '../input/limits.ts'
import { defineRecord, type RecordOf } from '../input/record-definition.ts'
import { listOrNone } from '../input/record-links.ts'
import { externalRef, optionalText, text } from '../input/record-members.ts'

const listed = { at: 'relationships', max: OFFERING_RECORDS_MAX } as const

export const offeringRecord = defineRecord('subscription_offering', {
  name: text({ min: NAME_MIN, max: NAME_MAX, isName: true }),
  description: optionalText({ max: DESCRIPTION_MAX }),
  externalRef: externalRef(),
  productIds: listOrNone({ ...listed, type: 'subscription_product', restName: 'products' }),
  planIds: listOrNone({ ...listed, type: 'subscription_plan', restName: 'plans' }),
})

/** A stored offering with its products and plans. */
export type ComposedOffering = RecordOf<typeof offeringRecord.members>

/** A stored offering without them. */
export type Offering = Omit<ComposedOffering, 'productIds' | 'planIds'>
