/** Average lengths of lists without paging, by field, for the estimated work of operations. */
import type { GraphQLField } from 'graphql'

/** Estimated length of a list of which none was read yet. */
export const PLAIN_LIST = 10
/** Lists in a moving average; from then on, each new list counts for 1/AVERAGED. */
const AVERAGED = 10_000

class AverageLength {
  value = PLAIN_LIST
  private lists = 0

  add(length: number): void {
    this.lists = Math.min(this.lists + 1, AVERAGED)
    this.value += (length - this.value) / this.lists
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a field of any schema.
type Field = GraphQLField<any, any>

const averages = new WeakMap<Field, AverageLength>()

/** The moving average of a field's list lengths. */
export function averageLength(field: Field): AverageLength {
  const average = averages.get(field) ?? new AverageLength()
  averages.set(field, average)
  return average
}
