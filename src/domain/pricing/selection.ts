/**
 * Selections: what a shopper chooses of a bundle's options, and what is wrong with it (bundle.wrong-choice-is-a-state).
 */
import type { Path, Violation } from '../input/errors.ts'
import { allowedParams, keyParams, limitParams, type ViolationParam } from '../input/violation-params.ts'
import { optionQuantity } from './bundle.ts'
import type { BundleComponent, BundleComponents } from './price-record.ts'
import type { Selection } from './priceable-product.ts'

/** What a shopper chooses for a component, by its key. */
export interface ComponentChoice {
  readonly component: string
  readonly options: readonly OptionChoice[]
}

/** An option that a shopper chooses; a null quantity stands for the option's own (bundle.option-has-its-quantity). */
export interface OptionChoice {
  readonly productId: string
  readonly quantity: number | null
}

/** The part of a choice that the bundle has, by component, and everything that is wrong with the choice. */
export interface CheckedSelection {
  readonly selection: Selection
  readonly issues: readonly Violation[]
}

/**
 * Checks a choice. Paths of issues start at the list of choices: first its entries in their order, then, at the list
 * itself, the components that need options but have no entry. `min` and `max` count options, not units
 * (bundle.options-by-sort-order).
 */
export function checkSelection(components: BundleComponents, choices: readonly ComponentChoice[]): CheckedSelection {
  const selection = new Map<string, Readonly<Record<string, number>>>()
  const given = choices.flatMap(({ component: name, options }, index) => {
    const component = Object.hasOwn(components, name) ? components[name] : undefined
    if (!component) return [issue('INVALID_VALUE', [index, 'component'], 'is no component of the bundle')]
    if (selection.has(name)) return [issue('DUPLICATE', [index, 'component'], 'is given twice')]
    const checked = checkOptions(component, options, [index, 'options'])
    selection.set(name, checked.chosen)
    return checked.issues
  })
  const missing = Object.entries(components).flatMap(([name, component]) =>
    selection.has(name) ? [] : countIssues(component, 0, [], name),
  )
  const chosen = Object.keys(components).map((name) => [name, selection.get(name) ?? {}])
  return { selection: Object.fromEntries(chosen), issues: [...given, ...missing] }
}

function checkOptions(component: BundleComponent, options: readonly OptionChoice[], path: Path) {
  const chosen = new Map<string, number>()
  const issues = options.flatMap(({ productId, quantity }, index) => {
    const option = component.options.find(({ id }) => id === productId)
    if (!option) return [issue('INVALID_VALUE', [...path, index, 'productId'], 'is no option of the component')]
    if (chosen.has(productId)) return [issue('DUPLICATE', [...path, index, 'productId'], 'is given twice')]
    const own = optionQuantity(option)
    chosen.set(productId, own)
    return quantity === null || quantity === own
      ? []
      : [
          issue(
            'INVALID_VALUE',
            [...path, index, 'quantity'],
            `must be ${own}, the option's quantity`,
            allowedParams([String(own)]),
          ),
        ]
  })
  return { chosen: Object.fromEntries(chosen), issues: [...issues, ...countIssues(component, chosen.size, path)] }
}

/** The issue with the number of options; `name` names the component where the path does not. */
function countIssues({ min, max }: BundleComponent, count: number, path: Path, name?: string): Violation[] {
  const of = name === undefined ? '' : ` of the component ${name}`
  const params = [...limitParams(min, max), ...(name === undefined ? [] : keyParams(name))]
  if (min != null && count < min)
    return [issue('INVALID_STRUCTURE', path, `must have at least ${counted(min)}${of}`, params)]
  if (max != null && count > max) return [issue('TOO_MANY', path, `must have at most ${counted(max)}${of}`, params)]
  return []
}

const counted = (options: number): string => `${options} ${options === 1 ? 'option' : 'options'}`

function issue(code: Violation['code'], path: Path, message: string, params?: readonly ViolationParam[]): Violation {
  return { code, path, message, ...(params && { params }) }
}
