/** Slugs of products, hierarchies and nodes (product.slug-from-name): letters, digits, hyphen, underscore and period. */
import { createHash } from 'node:crypto'
import { FREE_NAME_MAX } from './limits.ts'

/**
 * The slug of a record that was given none, from its name: accents are dropped, and each run of hyphens and of characters that a slug
 * can't hold becomes one hyphen, none at the ends. Case stays. A name of which no letter or digit is left gets a short hash, so that
 * different names keep apart.
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
