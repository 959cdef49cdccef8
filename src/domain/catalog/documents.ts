/** The document of a publish in an import (input/document.ts). */
import { recordDocument, reference } from '../input/document.ts'

/** A publish. */
export const releaseDocument = recordDocument('catalog-release', { catalog_id: reference(['catalog']) })
