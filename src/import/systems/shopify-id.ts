/** Ids of what Shopify's CSV names by texts, so that an import that is run again finds its records. */
import { v5 as uuidFromName } from 'uuid'

const NAMESPACE = '0b0d3c3e-5a0f-4d0e-9c39-1f1f6a9d2f5c'

/** The id of something by its kind, and what it is called there, such as the handle and the options of a variant. */
export function shopifyId(kind: string, ...name: readonly string[]): string {
  return uuidFromName(JSON.stringify([kind, ...name]), NAMESPACE)
}
