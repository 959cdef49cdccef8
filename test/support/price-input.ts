/**
 * Price input: the graph's input for a REST document of a product price, with lists for maps and in camelCase. Values
 * of a wrong type are passed on unchanged.
 */
type Members = Record<string, unknown>

export function graphPriceInput(data: unknown): unknown {
  if (!isMembers(data)) return data
  const { attributes } = data
  return isMembers(attributes)
    ? renamed(attributes, {
        currencies: pricesOf,
        sales: salesOf,
        admin_attributes: textsOf,
        shopper_attributes: textsOf,
      })
    : attributes
}

function pricesOf(map: unknown): unknown {
  return listOf(map, (currency, price) => ({
    currency,
    price: isMembers(price) ? renamed(price, { tiers: tiersOf }) : price,
  }))
}

function tiersOf(map: unknown): unknown {
  return listOf(map, (name, tier) => (isMembers(tier) ? { name, ...renamed(tier) } : tier))
}

function salesOf(map: unknown): unknown {
  const schedule = (value: unknown) => (isMembers(value) ? renamed(value) : value)
  return listOf(map, (name, sale) =>
    isMembers(sale) ? { name, ...renamed(sale, { schedule, currencies: pricesOf }) } : sale,
  )
}

function textsOf(map: unknown): unknown {
  return listOf(map, (key, value) => ({ key, value }))
}

const names: Readonly<Record<string, string>> = {
  currencies: 'prices',
  external_ref: 'externalRef',
  admin_attributes: 'adminAttributes',
  shopper_attributes: 'shopperAttributes',
  includes_tax: 'includesTax',
  minimum_quantity: 'minimumQuantity',
  bundle_ids: 'bundleIds',
  valid_from: 'validFrom',
  valid_to: 'validTo',
}

function renamed(members: Members, values: Readonly<Record<string, (value: unknown) => unknown>> = {}): Members {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [names[name] ?? name, values[name]?.(value) ?? value]),
  )
}

function listOf(map: unknown, entry: (key: string, value: unknown) => unknown): unknown {
  return isMembers(map) ? Object.entries(map).map(([key, value]) => entry(key, value)) : map
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
