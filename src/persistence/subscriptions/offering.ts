/** Offerings in the database: an offering with its lists of products and plans. */
import { offeringRecord } from '../../domain/subscriptions/offering.ts'
import { idList } from '../database/record-lists.ts'
import { recordTable, rowsOf } from '../database/record-table.ts'

/** The table of offerings. */
export const offeringTable = recordTable('offering', offeringRecord, {
  lists: {
    productIds: idList('offeringProduct', 'offeringId', 'productId'),
    planIds: idList('offeringPlan', 'offeringId', 'planId'),
  },
})

/** Offerings without their products and plans. */
export const offeringRows = rowsOf(offeringTable)
