/** Known codes: the SKUs of a release, among which a search looks for a misspelt one (search.misspelt-skus). Pure. */
import { mistakesBetween } from './mistakes.ts'

/** Letters and digits of the shortest part of a code that is found. */
const PART_MIN = 5
/** Letters and digits of a code for each mistake in it. */
const LETTERS_PER_MISTAKE = 4
const MISTAKES_MAX = 2

/** A code with digits in place of the letters that are mistaken for them. */
const digits = (code: string): string => code.replaceAll('o', '0').replace(/[il]/g, '1')

/** The SKUs of a release, as letters and digits. */
export class KnownCodes {
  private readonly codes: readonly string[]

  constructor(
    private readonly documents: readonly number[],
    codes: readonly string[],
  ) {
    this.codes = codes.map(digits)
  }

  /** The documents whose SKU contains the code, or is similar to it, with scores of at most 1. */
  similarTo(code: string): Map<number, number> {
    const wanted = digits(code)
    const most = Math.min(Math.floor(wanted.length / LETTERS_PER_MISTAKE), MISTAKES_MAX)
    const found = new Map<number, number>()
    for (const [at, known] of this.codes.entries()) {
      const document = this.documents[at] as number
      if (wanted.length >= PART_MIN && known.includes(wanted)) found.set(document, 1)
      else if (most > 0) {
        const mistakes = mistakesBetween(known, wanted, most)
        if (mistakes <= most) found.set(document, 1 - mistakes / wanted.length)
      }
    }
    return found
  }
}
