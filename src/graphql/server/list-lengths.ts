/** How long lists without a page are on average, by field, so that operations can be weighed before they run. */
import type { GraphQLField } from 'graphql'

/** Lists that an average is of, at most: those before them are forgotten little by little. */
const AVERAGED = 10_000

class AverageLength {
  private lists = 0

  constructor(public value: number) {}

  add(length: number): void {
    this.lists = Math.min(this.lists + 1, AVERAGED)
    this.value += (length - this.value) / this.lists
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a field of whatever schema.
type Field = GraphQLField<any, any>

const averages = new WeakMap<Field, AverageLength>()

/** Of the field's lists that were answered lately; `otherwise` before there were any. */
export function averageLength(field: Field, otherwise: number): AverageLength {
  const average = averages.get(field) ?? new AverageLength(otherwise)
  averages.set(field, average)
  return average
}
