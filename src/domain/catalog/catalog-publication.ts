/** Summary of a catalog for lists that every viewer may read. */
import type { PublicCatalog } from './release.ts'

/**
 * A catalog publication: the part of a catalog that every viewer may read (`Catalog` has its settings). Instants are
 * epoch milliseconds.
 */
export interface CatalogPublication extends PublicCatalog {
  readonly id: string
  readonly createdAt: number
  /** The last change of the settings, hidden from shoppers. */
  readonly updatedAt: number
}
