/** Chart of a price over time: steps, sales as bands, tiers as dashed lines, and instants as vertical lines. */
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import UPlot from 'uplot'
import { type Label, writeLabels } from './chart-labels.ts'
import { dayText } from './parts.tsx'
import 'uplot/dist/uPlot.min.css'

interface Amount {
  readonly amount: number
}

/** A part of the period in which the price stays. */
export interface Span {
  readonly from: string
  readonly to: string
  readonly price: {
    readonly amount: Amount & { readonly currency: string; readonly fractionDigits: number }
    readonly sale: { readonly name: string } | null
    readonly list: { readonly amount: Amount } | null
    readonly tiers: readonly { readonly name: string; readonly minimumQuantity: number; readonly price: Amount }[]
  } | null
}

/** A stretch of time, in seconds. */
type Range = readonly [from: number, to: number]

/** An instant that is marked, in seconds. */
interface Mark {
  readonly name: 'now' | 'shown-at'
  readonly text: string
  readonly at: number
}

const seconds = (instant: string): number => Date.parse(instant) / 1000
const HEIGHT = 240
const WEEK = 7 * 86_400

interface ChartProps {
  readonly spans: readonly Span[]
  /** The instant that is shown: now, or another one that is chosen; epoch milliseconds. */
  readonly shownAt: number
  /** Epoch milliseconds. */
  readonly now: number
  /** Whether to leave out what comes before the first change and after the last. */
  readonly narrow: boolean
}

/** The chart of a product's price; null without any price in the period. */
export function PriceChart({ spans, shownAt, now, narrow }: ChartProps): JSX.Element | null {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = place
    if (!current) return
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    let chart = draw(current, spans, [shownAt / 1000, now / 1000], narrow)
    const redraw = (): void => {
      chart.destroy()
      chart = draw(current, spans, [shownAt / 1000, now / 1000], narrow)
    }
    const observer = new ResizeObserver(() => chart.setSize({ width: current.clientWidth, height: HEIGHT }))
    observer.observe(current)
    scheme.addEventListener('change', redraw)
    return () => {
      observer.disconnect()
      scheme.removeEventListener('change', redraw)
      chart.destroy()
    }
  }, [spans, shownAt, now, narrow])
  if (!spans.some(({ price }) => price)) return null
  return <div class="chart" ref={place} role="img" aria-label="Price over time; the table below has the same values" />
}

/**
 * The period from shortly before the first change or the instant until shortly after the last; the whole period
 * without a change.
 */
function eventfulRange([from, to]: Range, spans: readonly Span[], now: number): Range {
  const changes = spans.slice(1).map((span) => seconds(span.from))
  if (changes.length === 0) return [from, to]
  const [first, last] = [Math.min(now, ...changes), Math.max(now, ...changes)]
  const margin = Math.max(WEEK, (last - first) / 10)
  return [Math.max(from, first - margin), Math.min(to, last + margin)]
}

function draw(
  place: HTMLElement,
  spans: readonly Span[],
  [shownAt, now]: readonly [shownAt: number, now: number],
  narrow: boolean,
): UPlot {
  const style = getComputedStyle(place)
  const color = (name: string): string => style.getPropertyValue(`--${name}`).trim()
  const { currency, fractionDigits = 2 } = spans.find(({ price }) => price)?.price?.amount ?? {}
  const decimals = { minimumFractionDigits: fractionDigits, maximumFractionDigits: fractionDigits }
  const money = new Intl.NumberFormat(undefined, currency ? { style: 'currency', currency, ...decimals } : {})
  const tierNames = new Map(
    spans.flatMap(({ price }) => price?.tiers.map(({ minimumQuantity, name }) => [minimumQuantity, name]) ?? []),
  )
  const quantities = [...tierNames.keys()].sort((a, b) => a - b)
  const whole: Range = [seconds(spans[0]?.from ?? ''), seconds(spans.at(-1)?.to ?? '')]
  const [min, max] = narrow ? eventfulRange(whole, spans, shownAt) : whole
  const shown = spans.filter(({ from, to }) => seconds(to) > min && seconds(from) < max)
  const lineOf = (amountOf: (price: NonNullable<Span['price']>) => Amount | undefined | null): (number | null)[] => {
    const amounts = shown.map(({ price }) => (price ? (amountOf(price)?.amount ?? null) : null))
    const scaled = amounts.map((amount) => (amount === null ? null : amount / 10 ** fractionDigits))
    // The last step lasts until the end of the period.
    return [...scaled, scaled.at(-1) ?? null]
  }
  const paths = UPlot.paths.stepped?.({ align: 1 })
  const line = (label: string, stroke: string, rest: UPlot.Series = {}): UPlot.Series => ({
    label,
    stroke,
    ...(paths && { paths }),
    points: { show: false },
    value: (_, value) => (value === null || value === undefined ? '–' : money.format(value)),
    ...rest,
  })
  const axis: UPlot.Axis = { stroke: color('soft'), grid: { stroke: color('line'), width: 1 }, ticks: { show: false } }
  const readOutShown = (chart: UPlot): void => readOut(chart, shownAt)
  const marks: Mark[] = [
    { name: 'now', text: 'now', at: now },
    ...(shownAt === now ? [] : [{ name: 'shown-at' as const, text: dayText(shownAt * 1000), at: shownAt }]),
  ]
  return new UPlot(
    {
      width: place.clientWidth,
      height: HEIGHT,
      // A price holds from its step on. So the readout is that of the step before the pointer, not of the nearest one.
      cursor: {
        y: false,
        points: { show: false },
        dataIdx: (chart, _, at, x) => ((chart.data[0][at] ?? x) > x ? Math.max(0, at - 1) : at),
      },
      legend: { live: true },
      series: [
        { label: 'Day' },
        line('Price', color('accent'), { width: 2 }),
        line('List', color('soft'), { width: 1 }),
        ...quantities.map((quantity) =>
          line(`${tierNames.get(quantity)}, from ${quantity}`, color('soft'), { width: 1, dash: [4, 4] }),
        ),
      ],
      axes: [axis, { ...axis, size: widthOf, values: (_, values) => values.map((value) => money.format(value)) }],
      hooks: { draw: [(chart) => markTimes(chart, shown, marks)], ready: [readOutShown], setCursor: [readOutShown] },
    },
    [
      [...shown.map(({ from }) => Math.max(min, seconds(from))), max],
      lineOf(({ amount }) => amount),
      lineOf(({ list }) => list?.amount),
      ...quantities.map((quantity) =>
        lineOf(({ tiers }) => tiers.find((tier) => tier.minimumQuantity === quantity)?.price),
      ),
    ],
    place,
  )
}

/** Pixels for the longest amount of the axis, so that none is cut; its digits are about seven wide. */
const widthOf = (_: UPlot, amounts: readonly string[] | null): number =>
  16 + 7.5 * Math.max(6, ...(amounts ?? []).map((amount) => amount.length))

/**
 * The legend's values are those under the pointer, and without one those of the instant that is shown. The legend
 * alone would show nothing then, and otherwise the day on which the step begins.
 */
function readOut(chart: UPlot, shownAt: number): void {
  const { left = -1 } = chart.cursor
  const [min, max] = [chart.scales.x?.min ?? shownAt, chart.scales.x?.max ?? shownAt]
  const isAway = left < 0
  if (isAway && (shownAt < min || shownAt > max)) return
  if (isAway) chart.setLegend({ idx: chart.data[0].findLastIndex((from) => from <= shownAt) }, false)
  const day = chart.root.querySelector('.u-series .u-value')
  if (day) day.textContent = dayText((isAway ? shownAt : chart.posToVal(left, 'x')) * 1000)
}

/** Marks sales as bands and instants as lines, all behind the prices, with their names before them. */
function markTimes(chart: UPlot, spans: readonly Span[], marks: readonly Mark[]): void {
  const { under, valToPos } = chart
  const width = under.clientWidth
  const labels: Label[] = []
  const mark = (name: string, text: string, from: number, to: number): HTMLElement | [] => {
    const [left, right] = [Math.max(0, valToPos(from, 'x')), Math.min(width, valToPos(to, 'x'))]
    if (left > width || right < 0) return []
    labels.push({ of: name, text, left })
    const element = Object.assign(document.createElement('div'), { className: name, title: text })
    element.style.left = `${left}px`
    if (to > from) element.style.width = `${right - left}px`
    return element
  }
  const bands: { readonly name: string; readonly from: number; to: number }[] = []
  for (const { from, to, price } of spans) {
    if (!price?.sale) continue
    const last = bands.at(-1)
    // Tiers or list prices may change during a sale, which still is one band.
    if (last?.name === price.sale.name && last.to === seconds(from)) last.to = seconds(to)
    else bands.push({ name: price.sale.name, from: seconds(from), to: seconds(to) })
  }
  under.replaceChildren(
    ...bands.flatMap(({ name, from, to }) => mark('band', name, from, to)),
    ...marks.flatMap(({ name, text, at }) => mark(name, text, at, at)),
  )
  writeLabels(chart, labels)
}
