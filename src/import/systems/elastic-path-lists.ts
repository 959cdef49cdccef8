/**
 * Lists of Elastic Path's API, as a folder of files, one file or standard input: pages `{"data": [...]}`, one after
 * another, or single resources. They are read several times, since they may stand in any order.
 */
import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isObject, type JsonObject } from '../../lib/json-object.ts'
import type { ParsedObject } from '../parsed-object.ts'
import { readPieces } from '../source.ts'
import { Splitter } from '../splitter.ts'
import { type StandsAt, unreadable } from './converted.ts'
import type { LeftOut } from './left-out.ts'

/** The name that stands for standard input. */
export const STANDARD_INPUT = '-'

const LIST_FILE = /(?:\.\d+)?\.(?:json|jsonl|ndjson)(?:\.gz)?$/i

/** One resource of a list. */
export interface Resource extends StandsAt {
  readonly type: string
  readonly id: string
  readonly members: JsonObject
  readonly list: List
}

/** What a page says of its list. */
export interface List {
  /** Its path, such as `pricebooks/ID/prices`; empty where nothing tells it. */
  readonly path: string
  /** Its path with what filters it. */
  readonly key: string
  /** The number of resources of all its pages; undefined where it is not said. */
  readonly total: number | undefined
}

/** A page without resources, or a resource. */
export type Listed = Resource | { readonly list: List; readonly at: string; readonly line: number }

/** The lists of one import. */
export class Lists {
  private constructor(
    private readonly files: readonly { readonly name: string; readonly path: string; readonly list: string }[],
    private readonly spool: string | null,
  ) {}

  /** Opens a folder, a file or, by `-`, standard input, which is kept in a file until `close`. */
  static async open(source: string, leftOut: LeftOut): Promise<Lists> {
    if (source === STANDARD_INPUT) {
      const spool = await mkdtemp(join(tmpdir(), 'commerce-graph-import-'))
      const path = join(spool, 'input')
      try {
        await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }))
      } catch (error) {
        await rm(spool, { recursive: true })
        throw error
      }
      return new Lists([{ name: 'standard input', path, list: '' }], spool)
    }
    if (!(await stat(source)).isDirectory()) return new Lists([{ name: source, path: source, list: '' }], null)
    const entries = await readdir(source, { recursive: true, withFileTypes: true })
    const inside = entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
    const files = inside.flatMap((path) => {
      if (!LIST_FILE.test(path)) leftOut.add('file that does not end in .json, .jsonl or .ndjson')
      const list = relative(source, path).replaceAll('\\', '/').replace(LIST_FILE, '')
      return LIST_FILE.test(path) ? [{ name: path, path, list }] : []
    })
    return new Lists(files, null)
  }

  /** All resources and pages, and what can't be read, from the start. `onRead` gets the bytes read so far. */
  async *read(onRead: (bytes: number) => void): AsyncGenerator<Listed | ParsedObject> {
    let before = 0
    for (const { name, path, list } of this.files) {
      const splitter = new Splitter()
      let ofFile = 0
      const pieces = readPieces(path, (bytes) => {
        ofFile = bytes
        onRead(before + bytes)
      })
      for await (const piece of pieces) for (const found of splitter.push(piece)) yield* listedIn(found, name, list)
      for (const found of splitter.end()) yield* listedIn(found, name, list)
      before += ofFile
    }
  }

  async close(): Promise<void> {
    if (this.spool !== null) await rm(this.spool, { recursive: true })
  }
}

function* listedIn(found: ParsedObject, name: string, fileList: string): Generator<Listed | ParsedObject> {
  const { line } = found
  const at = `${name}:${line}`
  if (!('value' in found)) return yield { ...found, at }
  const page = found.value as JsonObject
  const data = page.data ?? (typeof page.type === 'string' ? page : undefined)
  if (data === undefined) return yield unreadable({ at, line }, noData(page), found.bytes)
  const list = listOf(page, fileList)
  if (Array.isArray(data)) yield { list, at, line }
  for (const [entry, one] of Array.isArray(data) ? data.entries() : [[undefined, data] as const])
    yield resourceOf(one, list, { at, line, entry })
  for (const one of includedIn(page.included))
    yield resourceOf(one, { path: '', key: '', total: undefined }, { at: `${at} included`, line })
}

function noData({ errors }: JsonObject): string {
  const [error] = Array.isArray(errors) ? errors.filter(isObject) : []
  return error
    ? `is an error that the API responded with: ${String(error.detail ?? error.title)}`
    : 'has no data: it is no list that the API responds with'
}

function resourceOf(members: unknown, list: List, place: StandsAt): Resource | ParsedObject {
  if (isObject(members) && typeof members.type === 'string' && typeof members.id === 'string')
    return { ...place, type: members.type, id: members.id, members, list }
  const where = place.entry === undefined ? 'data' : `data.${place.entry}`
  return unreadable(place, `${where}: must be an object with a type and an id`, JSON.stringify(members))
}

/** Included resources: a list, or lists by name. */
function includedIn(included: unknown): unknown[] {
  if (Array.isArray(included)) return included
  return isObject(included) ? Object.values(included).flatMap((one) => (Array.isArray(one) ? one : [])) : []
}

/** A list by the links of its page, else by the name of its file. */
function listOf({ links, meta }: JsonObject, file: string): List {
  const link = ['self', 'first', 'last', 'next', 'prev']
    .map((name) => (isObject(links) ? links[name] : undefined))
    .find((one): one is string => typeof one === 'string')
  const [address = '', query = ''] = (link ?? file).split('?')
  const path = address
    .replace(/^https?:\/\/[^/]+/i, '')
    .replace(/^\/+|\/+$/g, '')
    .replace(/^pcm\//, '')
  const filters = [...new URLSearchParams(query)].filter(([name]) => !name.startsWith('page')).sort()
  const results = isObject(meta) && isObject(meta.results) ? meta.results.total : undefined
  const total = typeof results === 'number' ? results : undefined
  return { path, key: filters.length > 0 ? `${path}?${new URLSearchParams(filters)}` : path, total }
}
