import type { TestServer } from './server.ts'

/** The token of test servers' metrics. */
export const METRICS_TOKEN = 'the-token-of-metrics'

/** What /metrics says: each series as it is written there, and its value. */
export async function scrape(server: TestServer): Promise<ReadonlyMap<string, number>> {
  const { text } = await server.rest('GET', '/metrics', { token: METRICS_TOKEN })
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )
}

/** How much each of the series grew while `work` ran; the process counts for all servers of a test file. */
export async function growth(
  server: TestServer,
  series: readonly string[],
  work: () => Promise<unknown>,
): Promise<number[]> {
  const before = await scrape(server)
  await work()
  const after = await scrape(server)
  return series.map((name) => (after.get(name) ?? 0) - (before.get(name) ?? 0))
}
