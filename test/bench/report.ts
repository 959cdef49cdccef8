/** The one table: requests a second as ratios to raw, latencies, and how far the goals are met. */
import { cpus, totalmem } from 'node:os'
import type { LoadResult } from './load.ts'
import { type Cell, connectionCounts, type Measured, ways } from './measure.ts'

/** What the wire can do with one kind of page. */
export interface Wire {
  readonly of: string
  readonly results: Readonly<Record<number, LoadResult>>
}

export function cellOf({ cells }: Measured, way: Cell['way'], connections: number): Cell['result'] {
  const cell = cells.find((one) => one.way === way && one.connections === connections)
  if (!cell) throw new Error(`${way} at ${connections} connections was not measured`)
  return cell.result
}

export function machineLines(postgres: string): string[] {
  const [cpu] = cpus()
  return [
    `${cpus().length} x ${cpu?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}, ${postgres}`,
    'Server, database and load on the same machine: compare the ratios of one run, not the figures of two.',
  ]
}

export function tableLines(measured: readonly Measured[]): string[] {
  const raw = measured.find(({ name }) => name === 'raw')
  const columns = ways.flatMap((way) => connectionCounts.map((connections) => ({ way, connections })))
  const head = ['', ...columns.map(({ way, connections }) => `${way}, ${connections}`), 'first', 'start', 'memory']
  const rows = measured.map((one) => [
    one.name,
    ...columns.map(({ way, connections }) => {
      const { perSecond, p50, p99 } = cellOf(one, way, connections)
      const ratio = raw ? ` (${shown(perSecond / cellOf(raw, way, connections).perSecond)})` : ''
      return `${Math.round(perSecond)}/s${ratio} ${shown(p50)}/${shown(p99)}`
    }),
    `${shown(one.first)} ms`,
    `${shown(one.startedIn)} s`,
    `${one.memory} MB`,
  ])
  return [
    'Requests a second (ratio to raw), then p50/p99 in ms; the first page after the start; seconds to the address; resident memory at the end.',
    '',
    ...markdown(head, rows),
  ]
}

interface Goal {
  readonly name: string
  readonly over: string
  readonly under: string
  readonly hot: number
  readonly spread: number
}

const goals: readonly Goal[] = [
  { name: 'GraphQL page / PostGraphile', over: 'ours, GraphQL', under: 'PostGraphile 5', hot: 15, spread: 4 },
  { name: 'GraphQL page / raw', over: 'ours, GraphQL', under: 'raw', hot: 3, spread: 0.7 },
  { name: 'REST page / raw', over: 'ours, REST', under: 'raw', hot: 5, spread: 1 },
]

export function goalLines(measured: readonly Measured[], wires: readonly Wire[]): string[] {
  const named = new Map(measured.map((one) => [one.name, one]))
  const rows: string[][] = []
  for (const { name, over, under, ...least } of goals) {
    const [one, other] = [named.get(over), named.get(under)]
    if (!one || !other) continue
    const ratios = (way: Cell['way']): string =>
      connectionCounts
        .map((count) => shown(cellOf(one, way, count).perSecond / cellOf(other, way, count).perSecond))
        .join(' and ')
    rows.push([name, ratios('hot'), String(least.hot), ratios('spread'), String(least.spread)])
  }
  for (const { of, results } of wires) {
    const one = named.get(of)
    if (!one) continue
    const ratios = connectionCounts.map((count) =>
      shown(cellOf(one, 'hot', count).perSecond / (results[count]?.perSecond ?? Number.NaN)),
    )
    rows.push([`${of} / wire`, ratios.join(' and '), of === 'ours, REST' ? '0.5' : '-', '-', '-'])
  }
  return [
    'Ratios at 10 and at 100 connections.',
    '',
    ...markdown(['', 'hot', 'goal', 'spread', 'goal'], rows),
    '',
    'p99/p50 (goal: at most 1.5 times those of raw).',
    '',
    ...markdown(tailHead, [...measured.map(tailsOf), ...wires.map(wireTailsOf)]),
    '',
    ...firstLines(measured),
  ]
}

const tailHead = ['', ...ways.flatMap((way) => connectionCounts.map((count) => `${way}, ${count}`))]
const tail = ({ p50, p99 }: LoadResult): string => shown(p99 / p50)

function tailsOf(one: Measured): string[] {
  return [one.name, ...ways.flatMap((way) => connectionCounts.map((count) => tail(cellOf(one, way, count))))]
}

/** What the same bytes from memory, and the load itself, make of it. */
function wireTailsOf({ of, results }: Wire): string[] {
  return [
    `wire, bytes of ${of}`,
    ...connectionCounts.map((count) => (results[count] ? tail(results[count]) : '-')),
    '-',
    '-',
  ]
}

/** The first request after the start within 3 times the median. */
function firstLines(measured: readonly Measured[]): string[] {
  const firstPageOf = (one: Measured): string => shown(one.first / cellOf(one, 'spread', 10).p50)
  return [
    `The first page after the start, in medians of a spread page at 10 connections: ${measured.map((one) => `${one.name} ${firstPageOf(one)}`).join(', ')}.`,
  ]
}

export function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)]
}

/** Three digits that matter. */
export function shown(value: number): string {
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(value >= 10 ? 3 : 2)
}
