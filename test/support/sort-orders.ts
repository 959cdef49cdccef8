/** Sort orders of options as a release says them, found naively. */

interface Parent {
  readonly variations?:
    | readonly {
        readonly name: string
        readonly options: readonly { readonly name: string; readonly sort_order?: number | null }[]
      }[]
    | null
}

/**
 * The sort order that most of these parents give each option of a variation, the highest of equally frequent ones: each
 * as `["Size", "S", 3]`.
 */
export function sortOrders(parents: readonly Parent[]): string[] {
  const given = parents.flatMap(({ variations }) =>
    (variations ?? []).flatMap(({ name, options }) =>
      options.map((option) => ({ of: `"${name}", "${option.name}"`, sortOrder: option.sort_order ?? null })),
    ),
  )
  return [...new Set(given.map(({ of }) => of))].flatMap((of) => {
    const own = given.flatMap((one) => (one.of === of && one.sortOrder !== null ? [one.sortOrder] : []))
    const weightOf = (sortOrder: number) => own.filter((one) => one === sortOrder).length
    const [most] = own.sort((left, right) => weightOf(right) - weightOf(left) || right - left)
    return most === undefined ? [] : [`[${of}, ${most}]`]
  })
}
