import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'
import { readArguments } from '../../src/export/arguments.ts'
import { shortLived } from '../support/start-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-export-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Run {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs a program; with `output` its standard output is that file. */
function run(program: 'import' | 'export', args: readonly string[], output?: string): Promise<Run> {
  const { DATABASE_URL: _, ...inherited } = process.env
  const env = { ...inherited, NODE_ENV: 'development', DATA_DIR: join(folder, 'data') }
  const child = spawn(process.execPath, [...shortLived, 'src/tools/run.mjs', `${program}/main`, ...args], {
    ...{ cwd: projectRoot, env },
    stdio: ['ignore', output === undefined ? 'pipe' : openSync(output, 'w'), 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout?.on('data', (data: Buffer) => {
    out += data.toString()
  })
  child.stderr?.on('data', (data: Buffer) => {
    err += data.toString()
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })))
}

it.each([
  [[], { file: null, help: false }],
  [['a.jsonl'], { file: 'a.jsonl', help: false }],
  [['--help'], { file: null, help: true }],
  [['a', 'b'], 'An export has one file'],
  [['--output', 'a'], 'There is no option --output; there is --help'],
])('the command line %j of an export means %j', (args, meaning) => {
  expect(readArguments(args)).toEqual(meaning)
})

describe('npm run export', () => {
  const line = '{"data":{"type":"pricebook","id":"0199aaaa-0000-7000-8000-00000000000a","attributes":'
  const text = `${line}{"name":"Über","description":null,"external_ref":null}}}\n`
  beforeAll(async () => {
    const file = join(folder, 'book.jsonl')
    writeFileSync(file, text)
    expect((await run('import', [file])).code).toBe(0)
  })

  it('export.file-is-whole-and-private: writes a file that only its owner may read, compressed by its name', async () => {
    for (const name of ['store.jsonl', 'store.jsonl.gz']) {
      const file = join(folder, name)
      expect(await run('export', [file])).toEqual({ code: 0, out: '', err: '1 objects\n' })
      const bytes = readFileSync(file)
      expect((name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()).toBe(text)
      expect(statSync(file).mode & 0o777).toBe(0o600)
    }
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  it('writes to standard output without a file, and exits with 2 when it can not run', async () => {
    expect(await run('export', [])).toEqual({ code: 0, out: text, err: '1 objects\n' })
    const missing = join(folder, 'none', 'store.jsonl')
    const failed = await run('export', [missing])
    expect([failed.code, failed.out, existsSync(missing)]).toEqual([2, '', false])
    expect(failed.err).toContain('no such file or directory')
    expect((await run('export', ['--all'])).err).toContain('There is no option --all; there is --help\n\nUsage: npm run export')
    expect((await run('export', ['--help'])).out).toContain('Usage: npm run export')
  })

  it('says that what it writes to is full, and exits with 2', async () => {
    const err = "Standard output can't be written: ENOSPC: no space left on device, write\n"
    expect(await run('export', [], '/dev/full')).toEqual({ code: 2, out: '', err })
  })

  it('refuses to put its file in the place of a folder or a pipe, before it reads the store', async () => {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    for (const place of [folder, pipe]) {
      expect(await run('export', [place])).toEqual({ code: 2, out: '', err: `${place} is no file, and an export replaces only a file\n` })
    }
  })
})
