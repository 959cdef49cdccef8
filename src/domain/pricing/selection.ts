/** Validation of selections: whether a shopper's selection fits a bundle (`configureBundle`). */

import { key, prefixPaths, type Violation } from '../input/errors.ts'
import { duplicateKeyViolations } from '../input/map-keys.ts'
import { optionQuantity } from './bundle.ts'
import type { BundleComponent, BundleComponents } from './price-record.ts'
import type { Selection } from './priceable-product.ts'

/**
 * The rules that `selection` breaks, with paths from a component's key on: first its entries in their order, then the components
 * without an entry that need options. `min` and `max` count options, not units (bundle.options-by-sort-order).
 */
export function selectionViolations(components: BundleComponents, selection: Selection): Violation[] {
  const given = Object.entries(selection).flatMap(([name, chosen]) => {
    const component = Object.hasOwn(components, name) ? components[name] : undefined
    const invalid = component
      ? chosenViolations(name, component, chosen)
      : [violation('INVALID_VALUE', [key(name)], 'is no component of the bundle')]
    return [...duplicateKeyViolations(selection, name), ...invalid]
  })
  const missing = Object.entries(components).flatMap(([name, component]) =>
    Object.hasOwn(selection, name) ? [] : countViolations(name, component, 0),
  )
  return [...given, ...missing]
}

function chosenViolations(name: string, component: BundleComponent, chosen: Readonly<Record<string, number>>): Violation[] {
  const entries = Object.entries(chosen)
  const violations: Violation[] = []
  for (const [id, quantity] of entries) {
    const option = component.options.find((candidate) => candidate.id === id)
    const path = [key(name), key(id)]
    violations.push(...prefixPaths([key(name)], duplicateKeyViolations(chosen, id)))
    if (option === undefined) violations.push(violation('INVALID_VALUE', path, 'is no option of the component'))
    else if (quantity !== optionQuantity(option)) {
      violations.push(violation('INVALID_VALUE', path, `must be ${optionQuantity(option)}, the option's quantity`))
    }
  }
  return [...violations, ...countViolations(name, component, entries.length)]
}

function countViolations(name: string, { min, max }: BundleComponent, count: number): Violation[] {
  if (min != null && count < min) return [violation('INVALID_STRUCTURE', [key(name)], `must have at least ${min} options`)]
  if (max != null && count > max) return [violation('TOO_MANY', [key(name)], `must have at most ${max} options`)]
  return []
}

function violation(code: Violation['code'], path: Violation['path'], message: string): Violation {
  return { code, path, message }
}
