/** Traces of a started server: which modules they load, and that its last spans are sent. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startProgram } from '../../support/program.ts'
import { startCommand } from '../../support/start-command.ts'
import { startTraceCollector, type TraceCollector, treesOf } from '../../support/trace-collector.ts'

describe('a started server', () => {
  let collector: TraceCollector
  beforeAll(async () => {
    collector = await startTraceCollector()
  })
  const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-traces-'))
  const loaded = join(folder, 'loaded')
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await collector.stop()
  })
  /** Hooks that note each module that is loaded. */
  const hooks = `import { appendFileSync } from 'node:fs'
    export const load = (url, context, next) => { appendFileSync(${JSON.stringify(loaded)}, url + '\\n'); return next(url, context) }`
  const dataUrl = (script: string) => `data:text/javascript,${encodeURIComponent(script)}`
  const register = `import { register } from 'node:module'; register(${JSON.stringify(dataUrl(hooks))})`

  /** Runs it for one request, and returns the texts of the modules that it loaded. */
  async function run(environment: Record<string, string>): Promise<string[]> {
    const [node, ...args] = startCommand()
    const program = startProgram([node, '--import', dataUrl(register), ...args], {
      DATA_DIR: join(folder, 'data'),
      ...environment,
    })
    const [, address] = await program.says(/"address":"([^"]+)"/)
    expect((await fetch(`${address}/pcm/pricebooks/x/prices`)).status).toBe(401)
    program.child.kill('SIGTERM')
    expect(await program.exit).toBe(0)
    const urls = readFileSync(loaded, 'utf8').split('\n')
    rmSync(loaded)
    return urls.filter((url) => url.startsWith('file:')).map((url) => readFileSync(fileURLToPath(url), 'utf8'))
  }

  test('a server loads nothing of the tracing SDK while traces are off, and else sends its spans before it ends', async () => {
    const withSdk = (texts: readonly string[]) => texts.filter((text) => text.includes('OTEL_TRACES_SAMPLER'))
    const off = await run({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })
    expect(off.length).toBeGreaterThan(3)
    expect(withSdk(off)).toHaveLength(0)
    expect(collector.requests()).toBe(0)
    expect(withSdk(await run({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }))).toHaveLength(1)
    expect(treesOf(collector.spans)).toEqual([['GET /pcm/pricebooks/{pricebook_id}/prices']])
  })
})
