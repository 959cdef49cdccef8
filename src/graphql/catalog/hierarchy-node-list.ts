/** Lists of authored nodes: the arguments for their filter and order. */
import type { RecordClause } from '../../domain/input/record-filter.ts'
import { builder } from '../schema/builder.ts'
import { pageArgs } from '../schema/connection.ts'
import { filterArgs } from '../schema/filter-args.ts'
import { orderInput, recordOrders } from '../schema/record-connection.ts'
import { namedClauses, namedFilterFields, RecordTextFilter } from '../schema/record-filter.ts'
import { textClauses } from '../schema/text-filter.ts'

const HierarchyNodeFilter = builder.inputType('HierarchyNodeFilter', {
  description: 'Which nodes to list; all that is given holds.',
  fields: (t) => ({
    ...namedFilterFields(t),
    slug: t.field({ type: RecordTextFilter, description: 'By the name in URLs.' }),
    label: t.field({ type: RecordTextFilter, description: 'By label.' }),
  }),
})

type Filter = typeof HierarchyNodeFilter.$inferInput

const HierarchyNodeOrderField = builder.enumType('HierarchyNodeOrderField', {
  description: 'What a list of nodes is ordered by; equal ones by their id.',
  values: {
    ...recordOrders,
    SORT_ORDER: { value: 'sortOrder', description: 'By sort order. Nodes without one come last in both directions.' },
  },
} as const)

const HierarchyNodeOrderInput = orderInput(
  'HierarchyNodeOrderInput',
  'The order of a list of nodes.',
  HierarchyNodeOrderField,
)

export const nodeListArgs = {
  ...pageArgs,
  ...filterArgs(HierarchyNodeFilter, 'Which nodes to list, such as `{ name: { contains: "Coffee" } }`.', nodeClauses),
  ...builder.args((t) => ({
    orderBy: t.field({
      type: HierarchyNodeOrderInput,
      description: 'The order of the list, such as `{ field: SORT_ORDER }`.',
    }),
  })),
}

/** The clauses of a filter. Null means absent. */
export function nodeClauses(filter: Filter | null | undefined): RecordClause[] {
  return [...namedClauses(filter), ...textClauses('slug', filter?.slug), ...textClauses('label', filter?.label)]
}
