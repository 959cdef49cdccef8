/** Whether PostgreSQL can store the text: no U+0000, no lone surrogate (value.text-can-be-stored). */
export function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed()
}

/** The length of `text` in Unicode code points (value.lengths-in-code-points). */
export function codePoints(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; count++) at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1
  return count
}
