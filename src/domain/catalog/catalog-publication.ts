import type { PublicCatalog } from './release.ts'

/** A catalog in a list of what anyone may read; its settings are `Catalog`. Instants are epoch milliseconds. */
export interface CatalogPublication extends PublicCatalog {
  readonly id: string
  readonly createdAt: number
  /** When the settings were last changed, which shoppers are not told. */
  readonly updatedAt: number
}
