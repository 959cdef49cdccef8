/** Pages of REST lists: `meta`, `data` and `links` (list.pages-and-links). */
import { pageMeta, pageOffsets } from '../../domain/input/page.ts'
import { writeQuery } from './query.ts'
import type { RestRequest } from './route.ts'

/**
 * The document of a page. Links are host-relative and repeat all other query parameters. `total` counts all records
 * that match.
 */
export function listDocument(
  request: Pick<RestRequest, 'page' | 'path' | 'parameters'>,
  total: number,
  data: readonly unknown[],
) {
  const { page, path, parameters } = request
  const otherParameters = [...parameters].filter(([name]) => name !== 'page[limit]' && name !== 'page[offset]')
  const link = (offset: number | null): string | null =>
    offset === null
      ? null
      : `${path}?${writeQuery([...otherParameters, ['page[limit]', String(page.limit)], ['page[offset]', String(offset)]])}`
  const { self, first, last, prev, next } = pageOffsets(page, total)
  return {
    meta: pageMeta(page, total),
    data,
    links: { self: link(self), first: link(first), last: link(last), prev: link(prev), next: link(next) },
  }
}
