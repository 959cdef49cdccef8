/**
 * Code point order of texts, for `sort` (sale.shortest-period-wins, price-book.skus-compare-exactly). JavaScript's own
 * `<` compares UTF-16 units, where a character past U+FFFF (two surrogates, U+D800 to U+DFFF) comes before U+E000 to
 * U+FFFF.
 */
export function compareCodePoints(left: string, right: string): number {
  const shared = Math.min(left.length, right.length)
  for (let index = 0; index < shared; index++) {
    const one = left.charCodeAt(index)
    const other = right.charCodeAt(index)
    if (one === other) continue
    const high = isSurrogate(one)
    if (high === isSurrogate(other)) return one - other
    return high ? 1 : -1
  }
  return left.length - right.length
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}
