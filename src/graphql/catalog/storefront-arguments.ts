/** The arguments that name a shopper's channel and tags. */
import { STOREFRONT_TAGS_MAX } from '../../domain/input/limits.ts'
import { assertCount, withReader } from '../schema/argument-reader.ts'
import type { Types } from '../schema/graph-types.ts'
import { assertText } from '../schema/text-filter.ts'

type QueryBuilder = PothosSchemaTypes.QueryFieldBuilder<Types, Types['Root']>

/** The arguments, with their descriptions. */
export function shopperArgs(t: QueryBuilder, { channel, tags }: { readonly channel: string; readonly tags: string }) {
  return {
    channel: t.arg.string({ description: channel }),
    tags: t.arg.stringList({
      description: `${tags} At most ${STOREFRONT_TAGS_MAX}. A rule that has any of them matches by its tags.`,
      ...withReader(readShopper),
    }),
  }
}

interface ShopperArguments {
  readonly channel?: string | null | undefined
  readonly tags?: readonly string[] | null | undefined
}

/** The channel and the tags that are given; null means absent. Throws DomainError (badRequest). */
export function readShopper({ channel, tags }: ShopperArguments) {
  assertText(channel, ['channel'])
  for (const [index, tag] of (tags ?? []).entries()) assertText(tag, ['tags', index])
  assertCount(tags, STOREFRONT_TAGS_MAX, ['tags'])
  return { ...(channel != null && { channel }), ...(tags != null && { tags }) }
}
