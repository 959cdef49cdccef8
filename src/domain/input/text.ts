/** Whether PostgreSQL can store the text: no U+0000, no lone surrogate (value.text-can-be-stored). */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed()
}

/** The text with U+FFFD for what PostgreSQL can't store. */
export function toStorable(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\ufffd')
}

/** The length of `text` in Unicode code points (value.lengths-in-code-points). */
export function codePoints(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; count++) at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1
  return count
}

/**
 * Invisible characters: white space, characters that renderers ignore (such as U+200B), controls. Unicode defines them,
 * whatever the locale.
 */
const hidden = '\\p{White_Space}\\p{Default_Ignorable_Code_Point}\\p{Cc}'
const visible = new RegExp(`[^${hidden}]`, 'u')
const hiddenCharacters = new RegExp(`[${hidden}]+`, 'gu')
const blankEdge = /^[\p{White_Space}\p{Cc}]|[\p{White_Space}\p{Cc}]$/u

/** Whether the text has a character that can be seen. */
export function isVisible(text: string): boolean {
  return visible.test(text)
}

/**
 * What is wrong with a name (text.names-are-visible), as the sentence of a violation; undefined for a good one and for
 * ''.
 */
export function nameProblem(text: string): string | undefined {
  if (text === '') return undefined
  if (!isVisible(text)) return 'must have a visible character'
  return blankEdge.test(text) ? 'must not begin or end with white space or a control character' : undefined
}

const plainAscii = /^[!-~]*$/

/**
 * A form that is equal for texts that people take for the same: without invisible characters, whatever case, width and
 * normalisation (product.skus-look-alike). It depends on no locale.
 */
export function lookAlikeForm(text: string): string {
  if (plainAscii.test(text)) return text.toLowerCase()
  // Upper case first: it is what makes ß and SS, and the two forms of sigma, equal.
  return text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').replace(hiddenCharacters, '')
}
