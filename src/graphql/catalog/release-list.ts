/** The connection of a catalog's releases, with its filter and order. */
import type { ReleaseRecord } from '../../domain/catalog/release-summary.ts'
import type { RecordClause } from '../../domain/input/record-filter.ts'
import { releaseListLoaders } from '../../operations/catalog/published-catalog.ts'
import { builder } from '../schema/builder.ts'
import { pageArgs } from '../schema/connection.ts'
import { childRecordConnection, orderInput } from '../schema/record-connection.ts'
import { DateTimeFilter, instantClauses } from '../schema/record-filter.ts'
import { CatalogRef, ReleaseConnection } from './catalog-refs.ts'
import { ReleaseStatusEnum } from './release-schedule.ts'

const ReleaseFilter = builder.inputType('ReleaseFilter', {
  description: 'Which releases to list; all that is given holds.',
  fields: (t) => ({
    status: t.field({
      type: ReleaseStatusEnum,
      description: 'Those with this status at the instant of the request. No list has drafts or carried releases.',
    }),
    startedAt: t.field({ type: DateTimeFilter, description: 'By the instant at which the publish began.' }),
    publishedAt: t.field({
      type: DateTimeFilter,
      description: 'By the instant at which it first became public, or will; failed and running publishes have none.',
    }),
  }),
})

const ReleaseOrderField = builder.enumType('ReleaseOrderField', {
  description: 'What a list of releases is ordered by.',
  values: { SEQUENCE: { value: 'sequence', description: "By its number among the catalog's publications." } },
} as const)

const ReleaseOrderInput = orderInput('ReleaseOrderInput', 'The order of a list of releases.', ReleaseOrderField)

const newestFirst = {
  order: ['integer', 'uuid'],
  key: ({ sequence, id }: ReleaseRecord) => [sequence, id],
} as const

builder.objectField(CatalogRef, 'releases', (t) =>
  t.field({
    type: ReleaseConnection,
    description: 'Its releases, newest first.',
    args: {
      ...pageArgs,
      filter: t.arg({
        type: ReleaseFilter,
        description: 'Which to list, such as `{ publishedAt: { from: "2026-01-01T00:00:00Z" } }`.',
      }),
      orderBy: t.arg({
        type: ReleaseOrderInput,
        description: 'The order of the list, such as `{ field: SEQUENCE, direction: ASC }`.',
      }),
    },
    resolve: ({ id }, { filter, ...args }, ctx) =>
      childRecordConnection(args, id, clausesOf(filter, ctx.releaseReader.now), releaseListLoaders(ctx), newestFirst),
  }),
)

/**
 * The clauses of a filter, for the status at `now`, in epoch milliseconds (release.scheduled-at-its-millisecond). Null
 * means absent.
 */
function clausesOf(filter: typeof ReleaseFilter.$inferInput | null | undefined, now: number): RecordClause[] {
  const { status, startedAt, publishedAt } = filter ?? {}
  const visibility = { published: 'passed', scheduled: 'ahead' } as const
  const byStatus = (wanted: NonNullable<typeof status>): RecordClause[] =>
    wanted === 'published' || wanted === 'scheduled'
      ? [
          { op: 'eq', field: 'status', values: ['published'] },
          { op: visibility[wanted], field: 'visibleFrom', at: now },
        ]
      : [{ op: 'eq', field: 'status', values: [wanted] }]
  return [
    ...(status == null ? [] : byStatus(status)),
    ...instantClauses('startedAt', startedAt),
    ...instantClauses('publishedAt', publishedAt),
  ]
}
