/**
 * Sentences of violations, in REST's words. They mark the names of members, so that an edge with other names can
 * replace them.
 */

/** A name in a sentence, and the index at which it begins. */
interface NameAt {
  readonly name: string
  readonly at: number
}

/** What a violation says. `names` are the names in `message`, in their order. */
export interface Sentence {
  readonly message: string
  readonly names?: readonly NameAt[]
}

/** A sentence that may have no names. */
export function toSentence(said: string | Sentence): Sentence {
  return typeof said === 'string' ? { message: said } : said
}

interface Named {
  readonly name: string
}

/** A value of `sentence`: a member's name in REST, or REST's word for the entries of a map. */
export function named(name: string): Named {
  return { name }
}

/** Tag of a sentence with names. Values that are not `named` are inserted as they are. */
export function sentence(texts: TemplateStringsArray, ...values: readonly (string | number | Named)[]): Sentence {
  const names: NameAt[] = []
  let message = texts[0] ?? ''
  for (const [index, value] of values.entries()) {
    const isName = typeof value === 'object'
    if (isName) names.push({ name: value.name, at: message.length })
    message += `${isName ? value.name : value}${texts[index + 1]}`
  }
  return { message, names }
}

/** The message of a sentence, with each name replaced by `nameOf`. */
export function reworded({ message, names = [] }: Sentence, nameOf: (name: string) => string): string {
  return names.reduceRight(
    (text, { name, at }) => text.slice(0, at) + nameOf(name) + text.slice(at + name.length),
    message,
  )
}

/** The sentence of a map with too many entries. */
export function atMostKeys(max: number): Sentence {
  return sentence`must have at most ${max} ${named('keys')}`
}

/** The sentence about a map's key; `problem` completes it. */
export function itsKey(problem: string): Sentence {
  return sentence`${named('its key ')}${problem}`
}
