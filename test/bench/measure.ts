/** Asks and drives one contender. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AgreedPage, assertAlike } from './agreed.ts'
import type { Contender } from './contenders.ts'
import { drive, driveOnce, type Load, type LoadRequest, type LoadResult } from './load.ts'
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

export async function ask(url: string, { path, ...request }: LoadRequest): Promise<{ text: string; milliseconds: number }> {
  const begun = performance.now()
  const response = await fetch(url + path, request)
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${request.method} ${path} answered ${response.status}: ${text.slice(0, 500)}`)
  return { text, milliseconds: performance.now() - begun }
}

/** What `fetch` loads when it is first used must not count as somebody's first answer. */
export async function warmClient(): Promise<void> {
  const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  for (let count = 0; count < 50; count++) {
    await ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { method: 'POST', path: '/', headers: {}, body: '{}' })
  }
  server.closeAllConnections()
  server.close()
}

/**
 * Drives a load before it is measured: code is compiled after some thousand requests, and what answered others from memory has run none.
 */
export async function warm(load: Pick<Load, 'url' | 'requests'>, seconds: number): Promise<void> {
  await driveOnce({ ...load, connections: 10, seconds: seconds / 2 })
}

/** Starts the contender, holds its answers to `references` (fills them when empty), and drives it in every way. */
export async function measure(contender: Contender, running: Running, references: AgreedPage[], seconds: number): Promise<Measured> {
  const { milliseconds: first } = await ask(running.url, contender.request(hotPage))
  for (const [index, page] of comparedPages().entries()) {
    const answer = contender.read(JSON.parse((await ask(running.url, contender.request(page))).text), page)
    references[index] ??= answer
    assertAlike(contender.name, answer, references[index])
  }
  const requests = { hot: [contender.request(hotPage)], spread: pages.map((page) => contender.request(page)) }
  const cells: Cell[] = []
  for (const way of ways) {
    const load = { url: running.url, requests: requests[way] }
    await warm(load, seconds)
    for (const connections of connectionCounts) {
      cells.push({ way, connections, result: await drive({ ...load, connections, seconds }) })
    }
  }
  return { name: contender.name, cells, first, startedIn: running.startedIn, memory: running.memory() }
}
