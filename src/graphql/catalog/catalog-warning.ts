/** Catalog warnings: what is maybe not meant of a confidential catalog (catalog.confidential-warned). */
import { wordEnum } from '../schema/word-enum.ts'

export const CatalogWarningEnum = wordEnum('CatalogWarning', 'What is maybe not meant of a confidential catalog.', {
  GIVEN_TO_NOBODY:
    'The catalog is confidential and no rule gives it: none has a criterion and a schedule that has not ended. Only administrators see it.',
  RULE_PROVES_NOTHING: 'A rule of the confidential catalog has no criteria, so that it gives the catalog to nobody.',
})
