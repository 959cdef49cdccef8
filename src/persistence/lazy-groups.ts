/**
 * Several objects behind one, each made when one of its members is first asked for: a request pays for the loaders it uses, and making
 * all of them costs more than answering a small query.
 */
export interface Forgetful {
  /** What was made is let go; what is asked for next is made anew, so that nothing loaded before a write is read after it. */
  forget(): void
}

type Member = Record<string, unknown>

/**
 * `groups` have members of different names. What it answers makes one such object per call; `parts` are handed to each group, and
 * `onMember` hears of every member that is asked for.
 */
export function lazyGroups<Parts extends readonly unknown[], Whole extends object>(
  groups: readonly ((...parts: Parts) => object)[],
  onMember: (name: string, parts: Parts) => void = () => {},
): (...parts: Parts) => Whole & Forgetful {
  class Lazy implements Forgetful {
    readonly #parts: Parts
    #made: (Member | undefined)[] = []

    constructor(parts: Parts) {
      this.#parts = parts
    }

    forget(): void {
      this.#made = []
    }

    static member(lazy: Lazy, group: number, name: string): unknown {
      onMember(name, lazy.#parts)
      lazy.#made[group] ??= groups[group]?.(...lazy.#parts) as Member
      return lazy.#made[group]?.[name]
    }
  }

  // The names are known from the first objects; from then on they are getters that all objects share.
  let named = false
  return (...parts) => {
    if (!named) {
      for (const [index, group] of groups.entries()) {
        for (const name of Object.keys(group(...parts))) {
          Object.defineProperty(Lazy.prototype, name, {
            get(this: Lazy) {
              return Lazy.member(this, index, name)
            },
          })
        }
      }
      named = true
    }
    return new Lazy(parts) as unknown as Whole & Forgetful
  }
}
