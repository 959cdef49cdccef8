/** Names of releases (release.name-for-administrators, release.name-stays). */
import type { Violation } from '../input/errors.ts'
import type { InputReader } from '../input/input-reader.ts'
import { FREE_NAME_MAX } from '../input/limits.ts'
import { readInput } from '../input/read-input.ts'

/** Reads the member `name`: undefined when it is absent or wrong, null for none. */
export function readReleaseName(reader: InputReader): string | null | undefined {
  return reader.text('name', { nullable: true, min: 1, max: FREE_NAME_MAX, isName: true })
}

/** What is wrong with the name of a publish; nothing with null. */
export function nameViolations(name: string | null): readonly Violation[] {
  return readInput({ name }, (reader) => ({ name: readReleaseName(reader) })).violations
}
