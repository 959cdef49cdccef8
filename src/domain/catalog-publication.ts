import type { Locales } from './release.ts'

/** What is public of a catalog that has a release; its settings are `Catalog`. Instants are epoch milliseconds. */
export interface CatalogPublication {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly locales: Locales | null
  /** Null: nothing of it is published (any more). */
  readonly latestReleaseId: string | null
  /** Stays when releases go (CAT-6). */
  readonly firstPublishedAt: number | null
  readonly createdAt: number
  /** When the settings were last changed, which shoppers are not told. */
  readonly updatedAt: number
}
