/** Ids that were never given, in place of those of records: no response may tell them apart. */

/** A text with each id of `ids` replaced, also inside of global ids and cursors. */
export function translated(text: string, ids: ReadonlyMap<string, string>): string {
  const plain = (part: string): string => [...ids].reduce((all, [id, other]) => all.replaceAll(id, other), part)
  const coded = plain(text).replace(/[\w-]{24,}/g, (token) => {
    const decoded = Buffer.from(token, 'base64url').toString('utf8')
    const other = plain(decoded)
    return other === decoded ? token : Buffer.from(other, 'utf8').toString('base64url')
  })
  return coded
}
