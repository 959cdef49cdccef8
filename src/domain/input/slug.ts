/** Slugs of products, hierarchies and nodes (product.slug-from-name): letters, digits, hyphen, underscore and period. */
import { createHash } from 'node:crypto'
import anyAscii from 'any-ascii'
import { FREE_NAME_MAX } from './limits.ts'

/**
 * The slug of a record without a given one, made from its name. Accents are dropped, other scripts are written in Latin letters, and each
 * run of hyphens and of other invalid characters becomes one hyphen, with none at the ends; case stays. A name without any letter or digit
 * left gets a short hash, so that different names have different slugs.
 */
export function slugOf(name: string): string {
  const slug = anyAscii(name.normalize('NFC'))
    .replace(/[^A-Za-z0-9._]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, FREE_NAME_MAX)
    .replace(/-+$/, '')
  return /\w/.test(slug) ? slug : hashOf(name)
}

/**
 * A slug of each of `names`. Where several come to the same one, such as C, C++ and C#, a hash follows it in those that it does not spell
 * out, so that names that differ have slugs that differ.
 */
export function distinctSlugs(names: readonly string[]): string[] {
  const slugs = names.map(slugOf)
  const namesBySlug = new Map<string, Set<string>>()
  for (const [index, slug] of slugs.entries()) namesBySlug.set(slug, (namesBySlug.get(slug) ?? new Set()).add(names[index] as string))
  return slugs.map((slug, index) => {
    const name = names[index] as string
    return (namesBySlug.get(slug)?.size ?? 0) === 1 || name === slug ? slug : `${slug}-${hashOf(name)}`
  })
}

/** Twelve hexadecimal digits. */
function hashOf(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 12)
}
