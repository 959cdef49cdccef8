/** How many products of the shown catalog have changes that wait to be published. */
import { graphql, useGraph } from './graph.ts'

const Waiting = graphql(`
  query Waiting($channel: String, $tags: [String!]) @inContext(channel: $channel, tags: $tags) {
    storefront {
      id
      draft { id changesSince(releaseId: "latest", first: 0) { totalCount } }
    }
  }
`)

interface Unpublished {
  readonly count: number
  readonly catalog: string | undefined
  readonly fetching: boolean
}

/** Of the usual catalog, or of that of a shopper. */
export function useUnpublished(
  shopper: { channel?: string | null; tags?: string[] | null },
  pause = false,
): Unpublished {
  const { data, fetching } = useGraph(Waiting, { channel: null, tags: null, ...shopper }, pause)
  const { id, draft } = data?.storefront ?? {}
  return { count: draft?.changesSince.totalCount ?? 0, catalog: id, fetching }
}
