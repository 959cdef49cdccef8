/** Changes of a bundle's sum, over time or by quantity, from the changes of its options. */
import { type BundleSum, RunningSum, type SelectedPrice } from './bundle-sum.ts'

/** A price from `at` on, which is an instant or a quantity; null for no price. */
interface Change<Price> {
  readonly at: number
  readonly price: Price | null
}

/** An option of a bundle, its quantity in one bundle, and the changes of its price by rising place. */
interface OptionChanges {
  readonly quantity: number
  readonly changes: readonly Change<SelectedPrice['price'] & Pick<SelectedPrice, 'list'>>[]
}

/**
 * The changes of the sum, none without an option. Each change of an option replaces one price in the running sum: 500
 * options with 200 sales each change 200,000 times, too often to add up all options each time.
 */
export function sumChanges(options: readonly OptionChanges[]): Change<BundleSum>[] {
  const replacements = options.flatMap(({ quantity, changes }) => {
    const selected = changes.map(({ at, price }) => ({ at, price: price && { price, list: price.list, quantity } }))
    return selected.map(({ at, price }, index) => ({ at, before: selected[index - 1]?.price ?? null, after: price }))
  })
  // Every option begins at the same place. It may be infinite, and its difference from itself is then NaN, which `sort`
  // takes for equal.
  replacements.sort((one, other) => one.at - other.at)
  const sum = new RunningSum()
  const changes: Change<BundleSum>[] = []
  for (const { at, before, after } of replacements) {
    if (before !== null) sum.subtract(before)
    if (after !== null) sum.add(after)
    const current = sum.count === options.length ? sum.current : null
    // When several options change at one place, the last one completes the sum.
    if (changes.at(-1)?.at === at) changes.pop()
    changes.push({ at, price: current })
  }
  return changes
}
