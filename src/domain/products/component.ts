/** Component rules: which components a bundle may have. */
import { key, type Path, type Violation, type ViolationCode } from '../input/errors.ts'
import { keyParams, limitParams, type ViolationParam } from '../input/violation-params.ts'
import type { BundleComponent, BundleComponents } from '../pricing/price-record.ts'

/**
 * The rules that `components` break by themselves (bundle.option-once-per-component), component by component in the
 * order of the fields; paths from a component's key on. They make the default selection fit every component
 * (bundle.default-selection-fits).
 */
export function componentViolations(components: BundleComponents): Violation[] {
  return Object.entries(components).flatMap(([name, component]) => [
    ...boundViolations([key(name)], component),
    ...optionViolations([key(name), 'options'], component),
    ...defaultViolations([key(name), 'options'], component),
  ])
}

function boundViolations(path: Path, { min, max, options }: BundleComponent): Violation[] {
  const violations: Violation[] = []
  const add = (code: ViolationCode, member: string, message: string, params: readonly ViolationParam[]) =>
    violations.push({ code, path: [...path, member], message, params })
  const count = options.length
  if (min != null && min < 0) add('OUT_OF_RANGE', 'min', 'must be at least 0', limitParams(0, null))
  if (min != null && count < min) {
    add('INVALID_STRUCTURE', 'min', `must not exceed the number of options, ${count}`, limitParams(null, count))
  }
  if (max != null && max < 0) add('OUT_OF_RANGE', 'max', 'must be at least 0', limitParams(0, null))
  if (min != null && max != null && max < min)
    add('INVALID_STRUCTURE', 'max', `must not be below min, ${min}`, limitParams(min, null))
  return violations
}

function optionViolations(path: Path, { options }: BundleComponent): Violation[] {
  const first = new Map<string, number>()
  return options.flatMap((option, index) => {
    const violations: Violation[] = []
    const other = first.get(option.id)
    if (other === undefined) first.set(option.id, index)
    else {
      const message = `is the same product as option ${other}`
      violations.push({ code: 'DUPLICATE', path: [...path, index, 'id'], message, params: keyParams(other) })
    }
    if (option.quantity != null && option.quantity < 1) {
      const message = 'must be at least 1'
      violations.push({
        code: 'OUT_OF_RANGE',
        path: [...path, index, 'quantity'],
        message,
        params: limitParams(1, null),
      })
    }
    return violations
  })
}

function defaultViolations(path: Path, { min, max, options }: BundleComponent): Violation[] {
  const marked = options.filter((option) => option.default === true).length
  if (marked === 0) return []
  if (min != null && marked < min) {
    const message = `must mark no option as default, or at least min of them, ${min}`
    return [{ code: 'INVALID_STRUCTURE', path, message, params: limitParams(min, null) }]
  }
  if (max != null && marked > max) {
    const message = `must not mark more options as default than max, ${max}`
    return [{ code: 'INVALID_STRUCTURE', path, message, params: limitParams(null, max) }]
  }
  return []
}

/**
 * Violations of bundle.one-level-of-nesting by the product `id` with new `components`: a bundle may have bundles as
 * options, but those may not have any.
 *
 * `others` are the stored components of other bundles by product id: at least those of its options, of its options'
 * options, of the bundles that have it as an option, and of the bundles that have those. Paths start at a component's
 * key; [] when a bundle above is the cause.
 */
export function nestingViolations(
  id: string,
  components: BundleComponents,
  others: ReadonlyMap<string, BundleComponents>,
): Violation[] {
  const bundles = new Map([...others].filter(([, inner]) => optionIds(inner).length > 0))
  bundles.delete(id)
  const bundlesWith = (inner: string) =>
    [...bundles].filter(([, outer]) => optionIds(outer).includes(inner)).map(([outer]) => outer)
  const above = bundlesWith(id)
  const violations: Violation[] = []
  if (optionIds(components).length > 0 && above.some((outer) => bundlesWith(outer).length > 0)) {
    violations.push({
      code: 'INVALID_STRUCTURE',
      path: [],
      message: 'is an option of a bundle inside a bundle, so it must not be one itself',
    })
  }
  for (const [name, component] of Object.entries(components)) {
    component.options.forEach((option, index) => {
      const found = nestingViolation(id, option.id, bundles, above)
      if (found !== null) violations.push({ ...found, path: [key(name), 'options', index, 'id'] })
    })
  }
  return violations
}

function nestingViolation(
  id: string,
  option: string,
  bundles: ReadonlyMap<string, BundleComponents>,
  above: readonly string[],
) {
  if (option === id) return { code: 'CYCLE', message: 'must not be the bundle itself' } as const
  const inner = bundles.get(option)
  if (inner === undefined) return null
  if (above.includes(option))
    return { code: 'CYCLE', message: 'is a bundle that has this bundle as an option' } as const
  if (above.length > 0)
    return {
      code: 'INVALID_STRUCTURE',
      message: 'must not be a bundle, since this bundle is itself an option',
    } as const
  const deep = optionIds(inner).some((optionId) => bundles.has(optionId))
  return deep
    ? ({ code: 'INVALID_STRUCTURE', message: 'is a bundle that holds bundles; one level is allowed' } as const)
    : null
}

function optionIds(components: BundleComponents): readonly string[] {
  return Object.values(components).flatMap((component) => component.options.map((option) => option.id))
}
