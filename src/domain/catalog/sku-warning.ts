/** SKU warnings of a publish: SKUs that people take for the same (product.skus-look-alike). */
import { compareCodePoints } from '../../lib/code-point.ts'
import { lookAlikeForm } from '../input/text.ts'

/** The maximum number of SKUs that a warning names; it counts all of them. */
export const LOOK_ALIKES_MAX = 10

/** The SKUs of a catalog or of a price book. Each added SKU joins the group of those that look alike. */
export class LookAlikeSkus {
  private readonly firstByForm = new Map<string, string>()
  private readonly groups = new Map<string, string[]>()

  add(sku: string): void {
    const form = lookAlikeForm(sku)
    const first = this.firstByForm.get(form)
    if (first === undefined) this.firstByForm.set(form, sku)
    else this.groups.set(form, [...(this.groups.get(form) ?? [first]), sku])
  }

  /** The SKUs that look like others, group by group, in code point order. */
  get found(): readonly (readonly string[])[] {
    const sorted = [...this.groups.values()].map((skus) => [...skus].sort(compareCodePoints))
    return sorted.sort(([left = ''], [right = '']) => compareCodePoints(left, right))
  }
}
