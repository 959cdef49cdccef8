/** Measuring of contenders: started, held to the same answers, and driven in turns. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AgreedPage, assertAlike } from './agreed.ts'
import type { Contender } from './contenders.ts'
import { drive, driveOnce, type Load, type LoadRequest, type LoadResult } from './load.ts'
import { median } from './median.ts'
import { allPages, hotPage, type PageSpec } from './pages.ts'
import type { Running } from './process.ts'

export const ways = ['hot', 'spread'] as const
export const connectionCounts = [10, 100] as const

export interface Cell {
  readonly way: (typeof ways)[number]
  readonly connections: (typeof connectionCounts)[number]
  readonly result: LoadResult
}

export interface Measured {
  readonly name: string
  readonly cells: readonly Cell[]
  /** Milliseconds of the first page after the start. */
  readonly first: number
  readonly startedIn: number
  readonly memory: number
}

const pages = allPages()
/** How many answers are compared with those of the reference. */
const COMPARED = 40

export function comparedPages(): PageSpec[] {
  return [hotPage, ...pages.slice(0, COMPARED)]
}

export async function ask(
  url: string,
  { path, ...request }: LoadRequest,
): Promise<{ text: string; milliseconds: number }> {
  const begun = performance.now()
  const response = await fetch(url + path, request)
  const text = await response.text()
  if (response.status !== 200)
    throw new Error(`${request.method} ${path} answered ${response.status}: ${text.slice(0, 500)}`)
  return { text, milliseconds: performance.now() - begun }
}

/** What `fetch` loads when it is first used must not count as somebody's first answer. */
export async function warmClient(): Promise<void> {
  const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  for (let count = 0; count < 50; count++) {
    await ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
      method: 'POST',
      path: '/',
      headers: {},
      body: '{}',
    })
  }
  server.closeAllConnections()
  server.close()
}

/**
 * Drives a load before it is measured: code is compiled after some thousand requests, and what answered others from
 * memory has run none.
 */
export async function warm(load: Pick<Load, 'url' | 'requests'>, seconds: number): Promise<void> {
  await driveOnce({ ...load, connections: 10, seconds: seconds / 2 })
}

export interface Entrant {
  readonly contender: Contender
  readonly running: Running
  /** Milliseconds of the first page after the start. */
  readonly first: number
}

/**
 * Starts the contender, and holds its answers to `references` (fills them when empty). Null for one that can't be had.
 */
export async function enter(contender: Contender, database: string, references: AgreedPage[]): Promise<Entrant | null> {
  const running = await contender.start(database)
  if (!running) return null
  const { milliseconds: first } = await ask(running.url, contender.request(hotPage))
  for (const [index, page] of comparedPages().entries()) {
    const answer = contender.read(JSON.parse((await ask(running.url, contender.request(page))).text), page)
    references[index] ??= answer
    assertAlike(contender.name, answer, references[index])
  }
  return { contender, running, first }
}

/**
 * Drives all contenders in every way, in turns, since the machine is not equally fast all the time. Of each way a
 * result has the medians of all turns.
 */
export async function measureInTurns(
  entrants: readonly Entrant[],
  { turns, seconds, warmUp }: Turns,
): Promise<Measured[]> {
  const cells = entrants.map((): Cell[] => [])
  for (const way of ways) {
    const loads = entrants.map(({ contender, running }): Pick<Load, 'url' | 'requests'> => {
      return { url: running.url, requests: (way === 'hot' ? [hotPage] : pages).map((page) => contender.request(page)) }
    })
    for (const load of loads) await driveOnce({ ...load, connections: 10, seconds: warmUp })
    for (const connections of connectionCounts) {
      const results = entrants.map((): LoadResult[] => [])
      for (let turn = 0; turn < turns; turn++) {
        for (const [at, load] of loads.entries()) results[at]?.push(await drive({ ...load, connections, seconds }))
      }
      for (const [at, list] of results.entries()) cells[at]?.push({ way, connections, result: medians(list) })
    }
  }
  return entrants.map(({ contender: { name }, running, first }, at) => {
    return { name, cells: cells[at] ?? [], first, startedIn: running.startedIn, memory: running.memory() }
  })
}

/** Turns of each contender in a way, the seconds of each, and those before that are not counted. */
export interface Turns {
  readonly turns: number
  readonly seconds: number
  readonly warmUp: number
}

function medians(results: readonly LoadResult[]): LoadResult {
  const of = (read: (result: LoadResult) => number): number => median(results.map(read))
  return { perSecond: of(({ perSecond }) => perSecond), p50: of(({ p50 }) => p50), p99: of(({ p99 }) => p99) }
}
