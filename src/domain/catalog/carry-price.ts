/** Carrying prices: pricing data of a product, merged into that of a scheduled release (release.carried-by-field). */
import { isDeepStrictEqual } from 'node:util'
import { compareCodePoints } from '../../lib/code-point.ts'
import { SALES_MAX } from '../input/limits.ts'
import type { BundleComponents, ReleasePriceRecord, ReleasePricing } from '../pricing/price-record.ts'
import { scheduleViolations } from '../pricing/sale-schedule.ts'
import { componentViolations } from '../products/component.ts'
import { isChanged, part, type Sides, ThreeWayMerge } from './three-way-merge.ts'

type Part<T> = Sides<T | undefined>

/** Merges the price records, modifiers and, by `components`, the options of a product. */
export function mergePricing(
  merge: ThreeWayMerge,
  sides: Part<ReleasePricing>,
  components: BundleComponents | null,
): ReleasePricing {
  const scheduled = sides.scheduled as ReleasePricing
  const pricing = { id: scheduled.id, ...mergedPrice(merge, sides) }
  if (components === null) return pricing
  return { ...pricing, components, options: mergedOptions(merge, sides, components) }
}

/** The parts of a price that only hold together. */
type PriceParts = Pick<ReleasePricing, 'own' | 'base' | 'modifier_names' | 'modifiers'>

function priceParts(pricing: ReleasePricing | undefined): PriceParts | undefined {
  if (!pricing) return undefined
  return {
    own: pricing.own,
    base: pricing.base,
    modifier_names: pricing.modifier_names ?? [],
    modifiers: pricing.modifiers ?? [],
  }
}

/** A price that has another record, or that would break a rule once it is merged, stays whole. */
function mergedPrice(merge: ThreeWayMerge, pricings: Part<ReleasePricing>): PriceParts {
  const sides = part(pricings, priceParts)
  const { former, latest, scheduled } = sides
  const kept = scheduled as PriceParts
  if (former && latest && isChanged(sides) && !isDeepStrictEqual(former, scheduled)) {
    const records = part(sides as Sides<PriceParts>, ({ own, base }) => own ?? base)
    const places = [former, latest, kept].map(({ own, base }) => `${own?.id} ${base?.id}`)
    if (records.scheduled && new Set(places).size === 1) {
      const trial = new ThreeWayMerge()
      const record = mergedRecord(trial, records as Sides<ReleasePriceRecord>)
      const parts = sides as Sides<PriceParts>
      const merged = {
        own: kept.own && record,
        base: kept.base && record,
        modifier_names: trial.value(
          'priceModifierNames',
          part(parts, ({ modifier_names = [] }) => modifier_names),
        ),
        modifiers: trial.list(
          part(parts, ({ modifiers = [] }) => modifiers),
          ({ name }) => name,
          (one, name) => trial.value('priceModifiers', one, name),
        ),
      }
      if (keepsRules(record)) {
        merge.conflicts.push(...trial.conflicts)
        merge.showsEarly ||= trial.showsEarly
        return { ...merged, modifiers: sortedByName(merged.modifiers) }
      }
      merge.conflicts.push({ field: 'prices', key: null })
      return kept
    }
  }
  return merge.value('prices', sides) as PriceParts
}

function mergedRecord(merge: ThreeWayMerge, sides: Sides<ReleasePriceRecord>): ReleasePriceRecord {
  const { id, book } = sides.scheduled
  const sales = merge.list(
    part(sides, (record) => record.sales),
    ({ name }) => name,
    (sale, name) => merge.value('sales', sale, name),
  )
  return {
    id,
    book,
    currencies: merge.byKey(
      part(sides, ({ currencies }) => currencies),
      (price, currency) => merge.value('prices', price, currency),
    ),
    sales: sortedByName(sales),
    shopper_attributes: merge.json(
      'shopperAttributes',
      part(sides, ({ shopper_attributes }) => shopper_attributes),
    ),
  }
}

/** Whether the sales of a merged record may stand together (sale.several-need-schedules, sale.schedules-differ). */
function keepsRules({ sales }: ReleasePriceRecord): boolean {
  return sales.length <= SALES_MAX && scheduleViolations(sales).length === 0
}

function sortedByName<T extends { readonly name: string }>(entries: readonly T[]): T[] {
  return entries.toSorted((left, right) => compareCodePoints(left.name, right.name))
}

/**
 * The frozen options of the merged components. An option that the publish took off sale is gone; one whose bundle alone
 * lacks it now stays while the merged components have it.
 */
function mergedOptions(
  merge: ThreeWayMerge,
  sides: Part<ReleasePricing>,
  components: BundleComponents,
): Readonly<Record<string, ReleasePricing>> {
  const chosen = optionIds(components)
  const latest = optionIds(sides.latest?.components)
  const options: [string, ReleasePricing][] = []
  for (const id of chosen) {
    const option = part(sides, (pricing) => pricing?.options?.[id])
    const isOffSale = option.former && !option.latest && latest.has(id)
    if (isOffSale) {
      if (option.scheduled && !isDeepStrictEqual(option.former, option.scheduled))
        merge.conflicts.push({ field: 'components', key: id })
      continue
    }
    const merged = mergedOption(merge, option)
    if (merged) options.push([id, merged])
  }
  return Object.fromEntries(options)
}

function mergedOption(merge: ThreeWayMerge, option: Part<ReleasePricing>): ReleasePricing | undefined {
  if (!option.scheduled) return option.former ? undefined : option.latest
  if (!option.latest) return option.scheduled
  const components = part(option, (pricing) => pricing?.components ?? null)
  return mergePricing(merge, option, mergeComponents(merge, components))
}

/** The ids of all options of the components. */
export function optionIds(components: BundleComponents | null | undefined): ReadonlySet<string> {
  return new Set(Object.values(components ?? {}).flatMap(({ options }) => options.map(({ id }) => id)))
}

/** Merges the components of a bundle, their options by id; a component that would break a rule stays as scheduled. */
export function mergeComponents(merge: ThreeWayMerge, sides: Sides<BundleComponents | null>): BundleComponents | null {
  const trial = new ThreeWayMerge()
  const merged = trial.json('components', sides)
  if (componentViolations(merged ?? {}).length > 0 && componentViolations(sides.scheduled ?? {}).length === 0) {
    merge.conflicts.push({ field: 'components', key: null })
    return sides.scheduled
  }
  merge.conflicts.push(...trial.conflicts)
  merge.showsEarly ||= trial.showsEarly
  return merged
}
