/** Pages of whole tables in the order created_at, id, through Prisma (a list under parents: keyset.ts). */
import type { KeysetWindow } from './keyset.ts'

/** `findMany` arguments for the items of a window, walked from its end when it is reversed; `where` narrows the list. */
export function createdPage<Where extends object>({ after, before, limit, reverse }: KeysetWindow, where?: Where) {
  const direction: 'asc' | 'desc' = reverse ? 'desc' : 'asc'
  const bounds = [...(after ? [beyond(after, 'gt')] : []), ...(before ? [beyond(before, 'lt')] : [])]
  return {
    where: { AND: [...(where ? [where] : []), ...bounds] },
    orderBy: [{ createdAt: direction }, { id: direction }],
    take: limit,
  }
}

function beyond([createdAt, id]: readonly (string | number)[], side: 'gt' | 'lt') {
  const instant = new Date(Number(createdAt))
  return { OR: [{ createdAt: { [side]: instant } }, { createdAt: instant, id: { [side]: String(id) } }] }
}
