/** Slugs of products, hierarchies and nodes (product.slug-from-name): letters, digits, hyphen, underscore and period. */
import { createHash } from 'node:crypto'
import { FREE_NAME_MAX } from './limits.ts'

/**
 * The slug of a record without a given one, made from its name. Accents are dropped, and each run of hyphens and of other invalid
 * characters becomes one hyphen, with none at the ends; case stays. A name without any letter or digit left gets a short hash, so that
 * different names have different slugs.
 */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{Mn}/gu, '')
  const slug = plain
    .replace(/[^A-Za-z0-9._]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, FREE_NAME_MAX)
    .replace(/-+$/, '')
  return /\w/.test(slug) ? slug : createHash('sha256').update(name).digest('hex').slice(0, 12)
}
