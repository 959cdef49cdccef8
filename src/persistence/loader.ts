/**
 * What one request loads by one access path: each key once, together with all that are asked for at the same time, by this request or
 * others (reading-together.ts). What is known is answered without a promise.
 */
import type { Database } from './database.ts'
import type { Ask } from './reading-together.ts'

/** Told by key what was found; something for every key: null or [] where there is nothing. */
export type LookUp<Key, Value> = (key: Key) => Value

/** What all loaders of one path share, made once per process. */
export interface AccessPath<Key, Value> {
  /** One name stands for one `fetch`. */
  readonly name: string
  /** Equal for equal keys; absent: a key is a text that stands for itself. */
  readonly placeOf?: (key: Key) => string
  /** Reads what all the keys name, on the database handed to it, which is no single request's. */
  readonly fetch: (database: Database, keys: Key[]) => Promise<LookUp<Key, Value>>
  /** Hands what was found along with a value to the loader that asked for it. */
  readonly along?: (value: Value, lookUp: LookUp<Key, Value>, loader: Loader<Key, Value>) => void
}

/** One request's loader of a path. What it answers may be other requests' too, so nobody changes it. */
export class Loader<Key, Value> {
  private readonly known = new Map<unknown, Value | Promise<Value>>()
  private asking: Ask<Key, LookUp<Key, Value>> | undefined

  constructor(
    private readonly database: Database,
    private readonly path: AccessPath<Key, Value>,
  ) {}

  /** Rejects as the database does; then it may be asked for again. */
  load(key: Key): Value | Promise<Value> {
    const place = this.placeOf(key)
    const known = this.known.get(place)
    if (known !== undefined) return known
    const value = this.ask(key).then(
      (lookUp) => this.keep(place, key, lookUp),
      (error: unknown) => {
        this.known.delete(place)
        throw error
      },
    )
    this.known.set(place, value)
    return value
  }

  /** What is stored under the key, from a source that knows it; what was asked for already stays. */
  prime(key: Key, value: Value): void {
    const place = this.placeOf(key)
    if (!this.known.has(place)) this.known.set(place, value)
  }

  has(key: Key): boolean {
    return this.known.has(this.placeOf(key))
  }

  private placeOf(key: Key): unknown {
    return this.path.placeOf ? this.path.placeOf(key) : key
  }

  private ask(key: Key): Promise<LookUp<Key, Value>> {
    if (!this.asking || this.asking.sent) this.asking = this.database.askTogether(this.path.name, this.path.fetch)
    this.asking.add(key)
    return this.asking.found
  }

  private keep(place: unknown, key: Key, lookUp: LookUp<Key, Value>): Value {
    const value = lookUp(key)
    this.known.set(place, value)
    this.path.along?.(value, lookUp, this)
    return value
  }
}

/** Makes the loaders of a path. */
export function loaderOf<Key, Value>(path: AccessPath<Key, Value>): (database: Database) => Loader<Key, Value> {
  return (database) => new Loader(database, path)
}

/** Paths of one kind that differ in what else is asked (a window, a release); each has statements of its own. */
export interface PathFamily<Asked, Key, Value> {
  /** Equal for equal paths. */
  readonly idOf: (asked: Asked) => string
  readonly keyOf: (asked: Asked) => Key
  readonly pathOf: (asked: Asked, id: string) => AccessPath<Key, Value>
}

/** One request's loaders of a family, each made when it is first asked for. */
export class LoaderFamily<Asked, Key, Value> {
  private readonly loaders = new Map<string, Loader<Key, Value>>()

  constructor(
    private readonly database: Database,
    private readonly family: PathFamily<Asked, Key, Value>,
  ) {}

  load(asked: Asked): Value | Promise<Value> {
    const { idOf, keyOf, pathOf } = this.family
    const id = idOf(asked)
    let loader = this.loaders.get(id)
    if (!loader) {
      loader = new Loader(this.database, pathOf(asked, id))
      this.loaders.set(id, loader)
    }
    return loader.load(keyOf(asked))
  }
}

/** Makes the loaders of a family. */
export function familyOf<Asked, Key, Value>(
  family: PathFamily<Asked, Key, Value>,
): (database: Database) => LoaderFamily<Asked, Key, Value> {
  return (database) => new LoaderFamily(database, family)
}
