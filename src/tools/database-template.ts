/**
 * Makes the template of the embedded database; a bundle of it runs, since an installation without development packages
 * has no loader.
 */
import { makeTemplate } from '../persistence/database/pglite-folder.ts'

await makeTemplate()
