/** Lists of named items: a page of one, its names, and a walk over all of its pages. */

export interface NamedPage {
  readonly totalCount: number
  readonly nodes: readonly { readonly name: string }[]
  readonly pageInfo: {
    readonly hasNextPage: boolean
    readonly hasPreviousPage: boolean
    readonly startCursor: string
    readonly endCursor: string
  }
}

/** What is selected of a list for a page. */
export const namedPageFields =
  'totalCount nodes { name } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }'

export const namesOf = ({ nodes }: Pick<NamedPage, 'nodes'>): string[] => nodes.map(({ name }) => name)

/** The names of all pages, in the order of the list; `ask` gets the cursor that a page ends at, none for the first. */
export async function walkNames(
  backward: boolean,
  ask: (cursor: string | undefined) => Promise<NamedPage>,
): Promise<string[]> {
  const found: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await ask(cursor)
    if (backward) found.unshift(...namesOf(page))
    else found.push(...namesOf(page))
    if (!(backward ? page.pageInfo.hasPreviousPage : page.pageInfo.hasNextPage)) return found
    cursor = backward ? page.pageInfo.startCursor : page.pageInfo.endCursor
  }
}
