/** Names of columns: parts between single dots; a `.` within a part is doubled (sheet.columns-known-by-name). */

/** The name of a column with these parts. */
export function joinSegments(parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll('.', '..')).join('.')
}

/** The parts of a name between single dots. Of several dots in a row each pair is one dot of the name before. */
export function segmentsOf(name: string): string[] {
  const segments = ['']
  for (const [part] of name.matchAll(/\.\.|\.|[^.]+/g)) {
    if (part === '.') segments.push('')
    else segments[segments.length - 1] += part === '..' ? '.' : part
  }
  return segments
}
