/**
 * Import memory: an import of a long stream, through a pipe so that nothing of it lies in memory or on disk, keeps its
 * memory.
 */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startProgram, type Workspace } from './program.ts'

/** Milliseconds between two samples. */
const EVERY_MS = 250
/** MiB by which the last third may exceed the middle one: garbage that is not yet collected. */
const SLACK_MIB = 64

/**
 * Imports a price book with `count` prices; throws when memory in the last third of the time is higher than in the
 * middle one.
 */
export async function importMemory(workspace: Workspace, count: number, say: (line: string) => void): Promise<void> {
  const pipe = join(workspace.dataDir, '..', 'prices.jsonl')
  execFileSync('mkfifo', [pipe])
  const started = performance.now()
  const program = startProgram(
    'import/main',
    ['--refused', join(workspace.dataDir, '..', 'refused.jsonl'), pipe],
    workspace,
  )
  let code: number | null | undefined
  void program.exit.then((ended) => {
    code = ended
  })
  const feeding = feed(pipe, count)
  const samples: number[] = []
  while (code === undefined) {
    samples.push(residentMiB(program.child.pid ?? 0))
    await pause(EVERY_MS)
  }
  await feeding
  if (code !== 0) throw new Error(`the import ended with ${code}: ${program.printed()}`)
  const third = Math.floor(samples.length / 3)
  const highest = (part: readonly number[]): number => Math.max(...part)
  const [middle, last] = [highest(samples.slice(third, 2 * third)), highest(samples.slice(2 * third))]
  const seconds = Math.round((performance.now() - started) / 1000)
  say(`import: ${count} prices in ${seconds} s; at most ${middle} MiB in the middle third, ${last} MiB in the last`)
  if (last > middle + SLACK_MIB) throw new Error('the memory of the import grows with its input')
}

async function feed(pipe: string, count: number): Promise<void> {
  const stream = createWriteStream(pipe)
  let piece = '{"data":{"type":"pricebook","attributes":{"name":"Long","external_ref":"long"}}}\n'
  for (let n = 0; n < count; n++) {
    const currencies = {
      USD: { amount: n % 10_000 },
      EUR: { amount: n % 9_000, tiers: { case: { minimum_quantity: 6, amount: 1 } } },
    }
    piece += `${JSON.stringify({ data: { type: 'product-price', pricebook_external_ref: 'long', attributes: { sku: `LONG-${n}`, currencies } } })}\n`
    if (piece.length < 65_536) continue
    if (!stream.write(piece)) await once(stream, 'drain')
    piece = ''
  }
  stream.end(piece)
  await once(stream, 'close')
}

/** Memory of a process as the operating system counts it; 0 when it has ended. */
function residentMiB(pid: number): number {
  try {
    return Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024)
  } catch {
    return 0
  }
}
