/** Import objects: what is read of an object of the stream before it is written. */
import { formatPath, type Path, type Violation, withoutStep } from '../domain/input/errors.ts'
import { isObject } from '../lib/json-object.ts'
import { groupOf, type ImportObject, knownTypes } from './batch.ts'
import { type HandledObject, UNREADABLE } from './outcome.ts'
import type { ParsedObject } from './parsed-object.ts'
import type { Place } from './place.ts'
import { preparePrice, prepareRow } from './price-batch.ts'
import { ignoredName, unknownIn } from './unknown.ts'

/** Where the data of an object stands. */
export function dataPath(found: ParsedObject): Path {
  return 'value' in found && found.entry !== undefined ? ['data', found.entry] : ['data']
}

/** A sentence for each violation, with its path and code. */
export function problemTexts(violations: readonly Violation[]): string[] {
  return violations.map(({ code, path, message }) => `${formatPath(path)}: ${message} (${code})`)
}

/** The object that is to be written, or the outcome of one that can't be. `place` is the one after it. */
export function toObject(found: ParsedObject, place: Place, ignoreUnknown: boolean): ImportObject | HandledObject {
  const refused = (...problems: string[]): HandledObject => ({
    found,
    place,
    type: UNREADABLE,
    kind: 'refused',
    ignored: [],
    problems,
  })
  if ('problem' in found) return refused(...found.problem.split('\n'))
  const { data } = found.value as { data?: unknown }
  if (!isObject(data))
    return refused(
      `${formatPath(dataPath(found))}: ${data === undefined ? 'must be given' : 'must be an object'} (${data == null ? 'REQUIRED' : 'INVALID_TYPE'})`,
    )
  const { type } = data
  const group = typeof type === 'string' && groupOf(type)
  if (!group)
    return refused(
      `${formatPath([...dataPath(found), 'type'])}: must be one of ${knownTypes.join(', ')} (INVALID_VALUE)`,
    )
  if (found.row) {
    const { row } = found
    const { ignored, violations: unknown } = row
    const object = { found, place, type, group, data, unknown, ignored, row }
    return group === 'prices' ? { ...object, price: prepareRow(data, row) } : object
  }
  const members = unknownIn(type, found.value)
  if (!ignoreUnknown && members.some(({ path: [first] }) => first !== 'data'))
    return { ...refused(...problemTexts(members)), type }
  const unknown = ignoreUnknown ? [] : withoutStep(members)
  const ignored = ignoreUnknown ? members.map(({ path }) => ignoredName(type, path)) : []
  const object = { found, place, type, group, data, unknown, ignored }
  return group === 'prices' ? { ...object, price: preparePrice(data, unknown) } : object
}
