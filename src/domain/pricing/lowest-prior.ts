/**
 * Lowest prior price: the lowest price that was in force in a catalog in the days before a reduction began, as Article
 * 6a of Directive 98/6/EC wants it shown beside a reduced price (price.lowest-prior-in-force).
 */
import {
  type ChargedPrice,
  type ChargedPrices,
  chargedPrices,
  type PresentPrices,
  type PriceHistory,
} from './charged-prices.ts'

/** Which days before which reduction. */
export interface PriorPeriod {
  /** Milliseconds before the reduction. */
  readonly length: number
  /** Whether reductions that follow one another, each lower, count from the first (price.progressive-reduction). */
  readonly progressive: boolean
}

/**
 * The amount is null when no reduction runs, when there was no price, and where history is missing
 * (price.unknown-history-is-no-guess).
 */
export interface LowestPrior {
  readonly amount: number | null
  /** Where history is missing the instant from which on it is known, epoch milliseconds; otherwise null. */
  readonly knownFrom: number | null
}

const none: LowestPrior = { amount: null, knownFrom: null }

/** The lowest price before the reduction that runs at the end of the charged prices. */
export function lowestPrior(charged: ChargedPrices, { length, progressive }: PriorPeriod): LowestPrior {
  const { prices, knownFrom, lastUntil } = charged
  const last = prices.at(-1)
  if (last === undefined) return { amount: null, knownFrom }
  if (last.sale === null) return none
  if (last.sale === undefined) return { amount: null, knownFrom: lastUntil }
  const { first, unknownBefore } = runningReduction(charged, progressive)
  if (unknownBefore !== null) return { amount: null, knownFrom: unknownBefore }
  const begin = priceAt(prices, first).from
  if (knownFrom !== null && begin - length < knownFrom) return { amount: null, knownFrom }
  const amounts = prices.slice(0, first).flatMap(({ to, amount }) => (to > begin - length ? (amount ?? []) : []))
  return { ...none, amount: amounts.length === 0 ? null : amounts.reduce((one, other) => Math.min(one, other)) }
}

/** The instant from which on there was a price (price.on-market-since-first-price); null when that is not known. */
export function onMarketSince({ prices, knownFrom }: ChargedPrices): number | null {
  return knownFrom === null ? (prices.find(({ amount }) => amount !== null)?.from ?? null) : null
}

/**
 * The instant up to which past prices may be removed at `now`: those that ended by then are no older than `length`, and
 * not needed by a reduction that runs or is to come (price.history-outlives-releases). Null when none may, since the
 * present price does not tell its sale.
 */
export function removableUntil(
  history: PriceHistory,
  present: PresentPrices,
  now: number,
  length: number,
): number | null {
  const charged = chargedPrices(history, present, now + 1)
  const last = charged.prices.at(-1)
  if (last === undefined || last.sale === null) return now - length
  if (last.sale === undefined) return null
  const needed = [false, true].flatMap((progressive) => {
    const { first, unknownBefore, seen } = runningReduction(charged, progressive)
    const begin = priceAt(charged.prices, first).from
    return unknownBefore === null ? [begin - length, priceAt(charged.prices, seen).to - 1] : []
  })
  return Math.min(now - length, ...needed)
}

/** A reduction, by the places of its prices. */
interface Reduction {
  readonly first: number
  /** The lowest and the highest of its amounts. */
  readonly lowest: number
  readonly highest: number
  /** The instant before which it may have begun, since what came before is not known; null where it did not. */
  readonly unknownBefore: number | null
  /** The place of the earliest price that tells where it begins. */
  readonly seen: number
}

/** The reduction that the last price belongs to. The name of its sale is known. */
function runningReduction(charged: ChargedPrices, progressive: boolean): Reduction {
  const { prices } = charged
  let running = reductionWith(charged, prices.length - 1)
  while (progressive && running.unknownBefore === null) {
    const before = prices[running.first - 1]
    if (before === undefined || before.amount === null || before.sale === null) return running
    if (running.highest >= before.amount) return running
    if (before.sale === undefined) return { ...running, unknownBefore: before.to }
    const former = reductionWith(charged, running.first - 1, running.highest)
    if (running.highest >= former.lowest) return { ...running, seen: former.seen }
    running = former
  }
  return running
}

/** The reduction that a price belongs to, up to that price; only the end of it once an amount is not above `above`. */
function reductionWith(
  { prices, knownFrom }: ChargedPrices,
  last: number,
  above = Number.NEGATIVE_INFINITY,
): Reduction {
  const { sale } = priceAt(prices, last)
  let [first, lowest, highest] = [last, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (; ; first--) {
    const one = priceAt(prices, first)
    const amount = one.amount as number
    lowest = Math.min(lowest, amount)
    highest = Math.max(highest, amount)
    const before = prices[first - 1]
    const found = { first, lowest, highest, unknownBefore: null, seen: first }
    if (amount <= above) return found
    if (before === undefined) return { ...found, unknownBefore: knownFrom }
    if (before.amount === null || before.amount > amount) return found
    if (before.sale === undefined) return { ...found, unknownBefore: one.from }
    if (before.sale !== sale) return found
  }
}

function priceAt(prices: readonly ChargedPrice[], place: number): ChargedPrice {
  return prices[place] as ChargedPrice
}
