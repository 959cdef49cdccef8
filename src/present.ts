/**
 * What is there at the moment, where things come and go thousands of times a second. A Set or Map makes itself a new table every few comings;
 * the tables that it has left hold what was in them, and each other, until the whole heap is collected.
 */
export class Present<Item extends object> {
  size = 0
  private readonly ends = new Place<Item>()

  /** From now on the item is there, until what is answered is called. */
  add(item: Item): () => void {
    const place = new Place(item)
    const { ends } = this
    place.before = ends.before
    place.after = ends
    ends.before.after = place
    ends.before = place
    this.size++
    return () => this.leave(place)
  }

  /** In the order of coming. */
  all(): Item[] {
    const items: Item[] = []
    for (let place = this.ends.after; place.item; place = place.after) items.push(place.item)
    return items
  }

  private leave(place: Place<Item>): void {
    if (!place.item) return
    place.before.after = place.after
    place.after.before = place.before
    // Nothing that has left leads to what is there.
    place.before = place
    place.after = place
    place.item = undefined
    this.size--
  }
}

class Place<Item> {
  before: Place<Item> = this
  after: Place<Item> = this

  constructor(public item?: Item) {}
}

/** Keys that are remembered after what was there under them has gone; beyond it all are forgotten, and what is there then too. */
const KEYS_MAX = 1_000
/** A longer one goes with what was there under it: it may hold a megabyte that a client sent. */
const KEY_MAX = 256

/** The same by key, the latest of each, for what may be forgotten. */
export class PresentByKey<Item extends object> {
  private items = new Map<string, Item | undefined>()

  get(key: string): Item | undefined {
    return this.items.get(key)
  }

  set(key: string, item: Item): void {
    if (this.items.size >= KEYS_MAX && !this.items.has(key)) this.items = new Map()
    this.items.set(key, item)
  }

  /** Unless another is there under the key by now. */
  end(key: string, item: Item): void {
    if (this.items.get(key) !== item) return
    if (key.length > KEY_MAX) this.items.delete(key)
    else this.items.set(key, undefined)
  }
}
