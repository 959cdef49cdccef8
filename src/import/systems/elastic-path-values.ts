/** Values within attributes of Elastic Path's resources. */
import { isObject, type JsonObject } from '../../lib/json-object.ts'

/** Null for no tiers, since an import keeps those that are not given. */
export function withTiers(currencies: unknown): unknown {
  if (!isObject(currencies)) return currencies
  const entries = Object.entries(currencies)
  return Object.fromEntries(entries.map(([code, price]) => [code, isObject(price) ? { tiers: null, ...price } : price]))
}

/** Sales with the tiers of their prices, and with their schedules; null for none. */
export function salesOf(sales: unknown): unknown {
  if (!isObject(sales)) return sales ?? null
  const entries = Object.entries(sales)
  return Object.fromEntries(
    entries.map(([name, sale]) => {
      if (!isObject(sale)) return [name, sale]
      const { schedule = null, ...rest } = sale
      const currencies = 'currencies' in sale ? { currencies: withTiers(sale.currencies) } : {}
      return [name, { ...rest, schedule: inUtc(schedule), ...currencies }]
    }),
  )
}

/** Files by their ids, or one file; null for none. */
export function linked(relationship: unknown, type: string): JsonObject {
  const { data } = (relationship ?? {}) as { data?: unknown }
  const one = (file: unknown) =>
    isObject(file) ? { type, id: file.id, ...(file.created_at != null && { created_at: utc(file.created_at) }) } : file
  return { data: Array.isArray(data) ? data.map(one) : data == null ? null : one(data) }
}

/** The ids of all options that build rules name. */
export function optionsOf(rules: unknown): unknown[] {
  if (!isObject(rules)) return []
  return [rules.include, rules.exclude].flatMap((sets) => (Array.isArray(sets) ? sets.flat() : []))
}

/** The schedules of a rule; null for none. */
export function schedulesOf(schedules: unknown): unknown {
  return Array.isArray(schedules) ? schedules.map(inUtc) : (schedules ?? null)
}

function inUtc(schedule: unknown): unknown {
  if (!isObject(schedule)) return schedule
  return Object.fromEntries(Object.entries(schedule).map(([name, bound]) => [name, utc(bound)]))
}

/** An instant without an offset is in UTC there; here it would be in the time zone of the store. */
function utc(instant: unknown): unknown {
  return typeof instant === 'string' && /T[\d:.]+$/i.test(instant) ? `${instant}Z` : instant
}

/** Whether a value says something. */
export function isFilled(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  return isObject(value) ? Object.keys(value).length > 0 : value != null && value !== ''
}
