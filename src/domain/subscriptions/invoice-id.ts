/** Ids of invoices (subscription.one-invoice-an-instant). */
import { v5 } from 'uuid'

const NAMESPACE = '6f1d4c0e-5a0b-4a3e-9d6c-0b6f6f6f7a51'

/** The id of a subscription's invoice at an instant: always the same, a key for the system that bills it. */
export function invoiceId(subscriptionId: string, dueAt: number): string {
  return v5(`${subscriptionId} ${new Date(dueAt).toISOString()}`, NAMESPACE)
}
