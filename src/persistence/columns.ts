/** `i.external_ref AS "externalRef"` for every name. */
export function selectItem(...names: readonly string[]): string {
  return names.map((name) => `i.${columnOf(name)} AS "${name}"`).join(', ')
}

/** `external_ref` of `externalRef`. */
export function columnOf(member: string): string {
  return member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
