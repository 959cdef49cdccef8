/** Offerings: use cases. An offering lists subscription products and plans. */
import { offeringRecord } from '../../domain/subscriptions/offering.ts'
import { offeringRows, offeringTable } from '../../persistence/subscriptions/offering.ts'
import { recordCommands } from '../record-commands.ts'
import { recordById, recordReads } from '../record-reads.ts'

/** An offering by its raw id, null when there is none. */
export const offering = recordById('anyone', ({ offeringById }) => offeringById)

/** All offerings, in pages. */
export const offerings = recordReads('anyone', offeringRows)

/**
 * Creates, changes and deletes an offering. Its products and plans stay, and subscriptions keep their copies
 * (subscription.keeps-its-copies).
 */
export const {
  create: createOffering,
  update: updateOffering,
  remove: deleteOffering,
} = recordCommands('Offering', { record: offeringRecord, table: offeringTable, noun: 'offering' })
