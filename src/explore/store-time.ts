/** Instants as they are typed: local times of the store, whose time zone stands beside them. */

/** An instant as `datetime-local` has it, in a time zone: without seconds where they are zero; empty for none. */
export function storeTime(at: string | null, timeZone: string): string {
  if (at === null) return ''
  // Swedish writes dates and times as ISO 8601 does.
  const form = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  const text = form.format(Date.parse(at)).replace(' ', 'T').padStart(19, '0')
  return text.endsWith(':00') ? text.slice(0, -3) : text
}

/**
 * A typed local time as the graph takes it, which finds its instant: null for none. What was not changed is the stored
 * instant, also where the clocks show its time twice.
 */
export function typedInstant(text: string, stored: string | null, timeZone: string): string | null {
  if (text === storeTime(stored, timeZone)) return stored
  if (text === '') return null
  return text.length === 16 ? `${text}:00` : text
}
