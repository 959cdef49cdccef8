/**
 * An object whose members are made when they are first asked for: a request pays for the loaders it uses, and making all of them costs
 * more than answering a small query.
 */
export interface Forgetful {
  /** What was made is let go; what is asked for next is made anew, so that nothing loaded before a write is read after it. */
  forget(): void
}

type Makers<Parts extends readonly unknown[]> = Readonly<Record<string, (...parts: Parts) => unknown>>

type Members<Of extends Makers<never>> = { readonly [Name in keyof Of]: ReturnType<Of[Name]> }

/** What it answers makes one such object per call; its parts are handed to each maker, and `onMember` hears of every member asked for. */
export function lazyMembers<Parts extends readonly unknown[], const Of extends Makers<Parts>>(
  makers: Of,
  onMember: (name: string, parts: Parts) => void = () => {},
): (...parts: Parts) => Members<Of> & Forgetful {
  class Lazy implements Forgetful {
    readonly #parts: Parts
    #made: unknown[] = []

    constructor(parts: Parts) {
      this.#parts = parts
    }

    forget(): void {
      this.#made = []
    }

    static member(lazy: Lazy, at: number, name: string): unknown {
      onMember(name, lazy.#parts)
      lazy.#made[at] ??= makers[name]?.(...lazy.#parts)
      return lazy.#made[at]
    }
  }

  for (const [at, name] of Object.keys(makers).entries()) {
    Object.defineProperty(Lazy.prototype, name, {
      get(this: Lazy) {
        return Lazy.member(this, at, name)
      },
    })
  }
  return (...parts) => new Lazy(parts) as unknown as Members<Of> & Forgetful
}
