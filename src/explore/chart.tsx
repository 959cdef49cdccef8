/** Chart of a price over time: steps, sales as bands, tiers as dashed lines, and now as a vertical line. */
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import UPlot from 'uplot'
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
    readonly tiers: readonly { readonly minimumQuantity: number; readonly price: Amount }[]
  } | null
}

const seconds = (instant: string): number => Date.parse(instant) / 1000
const HEIGHT = 240

interface ChartProps {
  readonly spans: readonly Span[]
  readonly now: number
}

/** The chart of a product's price; null without any price in the period. */
export function PriceChart({ spans, now }: ChartProps): JSX.Element | null {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = place
    if (!current) return
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    let chart = draw(current, spans, now)
    const redraw = (): void => {
      chart.destroy()
      chart = draw(current, spans, now)
    }
    const resized = new ResizeObserver(() => chart.setSize({ width: current.clientWidth, height: HEIGHT }))
    resized.observe(current)
    scheme.addEventListener('change', redraw)
    return () => {
      resized.disconnect()
      scheme.removeEventListener('change', redraw)
      chart.destroy()
    }
  }, [spans, now])
  return <div ref={place} class="chart" role="img" aria-label="The price over time; the table below has the same values" />
}

function draw(place: HTMLElement, spans: readonly Span[], now: number): UPlot {
  const style = getComputedStyle(place)
  const color = (name: string): string => style.getPropertyValue(`--${name}`).trim()
  const { currency, fractionDigits = 2 } = spans.find(({ price }) => price)?.price?.amount ?? {}
  const money = new Intl.NumberFormat(undefined, currency ? { style: 'currency', currency } : {})
  const quantities = [...new Set(spans.flatMap(({ price }) => price?.tiers.map(({ minimumQuantity }) => minimumQuantity) ?? []))].sort(
    (a, b) => a - b,
  )
  const lineOf = (amountOf: (price: NonNullable<Span['price']>) => Amount | undefined | null): (number | null)[] => {
    const amounts = spans.map(({ price }) => (price ? (amountOf(price)?.amount ?? null) : null))
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
  return new UPlot(
    {
      width: place.clientWidth,
      height: HEIGHT,
      cursor: { y: false },
      legend: { live: true },
      series: [
        { label: 'Day', value: (_, value) => (value === null ? '–' : new Date(value * 1000).toLocaleDateString()) },
        line('Price', color('accent'), { width: 2 }),
        line('List', color('soft'), { width: 1 }),
        ...quantities.map((quantity) => line(`From ${quantity}`, color('soft'), { width: 1, dash: [4, 4] })),
      ],
      axes: [axis, { ...axis, size: 70, values: (_, values) => values.map((value) => money.format(value)) }],
      hooks: {
        drawClear: [(chart) => shadeSales(chart, spans, color('band'))],
        draw: [(chart) => markNow(chart, now / 1000, color('sale'))],
      },
    },
    [
      [...spans.map(({ from }) => seconds(from)), seconds(spans.at(-1)?.to ?? new Date(now).toISOString())],
      lineOf(({ amount }) => amount),
      lineOf(({ list }) => list?.amount),
      ...quantities.map((quantity) => lineOf(({ tiers }) => tiers.find((tier) => tier.minimumQuantity === quantity)?.price)),
    ],
    place,
  )
}

function shadeSales({ ctx, bbox, valToPos }: UPlot, spans: readonly Span[], color: string): void {
  ctx.fillStyle = color
  for (const { from, to, price } of spans) {
    if (!price?.sale) continue
    const [left, right] = [valToPos(seconds(from), 'x', true), valToPos(seconds(to), 'x', true)]
    ctx.fillRect(left, bbox.top, right - left, bbox.height)
  }
}

function markNow({ ctx, bbox, valToPos }: UPlot, now: number, color: string): void {
  const x = valToPos(now, 'x', true)
  if (x < bbox.left || x > bbox.left + bbox.width) return
  ctx.fillStyle = color
  ctx.fillRect(x - 1, bbox.top, 2, bbox.height)
}
