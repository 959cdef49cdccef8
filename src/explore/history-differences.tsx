/** What differs in a write: a line for each member, or for each part of one that is nested. */
import type { JSX } from 'preact'
import { isObject, type Json, type JsonObject, useNames } from './history-names.ts'
import { isNone, Known, memberWords, Value } from './history-value.tsx'
import { Table } from './table.tsx'

interface Row {
  readonly key: string
  readonly label: string
  /** The innermost member. */
  readonly member: string
  readonly before: Json | undefined
  readonly after: Json | undefined
  /** How many items of a list are the same before and after. */
  readonly same: number
}

interface DifferencesProps {
  readonly of: { readonly kind: 'CREATED' | 'UPDATED' | 'DELETED'; readonly before: unknown; readonly after: unknown }
  /** The members to show. */
  readonly fields: readonly string[]
}

export function Differences({ of: { kind, ...of }, fields }: DifferencesProps): JSX.Element {
  const [before, after] = [of.before, of.after].map((one) => (one ?? {}) as JsonObject) as [JsonObject, JsonObject]
  const sides =
    kind === 'UPDATED' ? (['before', 'after'] as const) : ([kind === 'CREATED' ? 'after' : 'before'] as const)
  const rows = fields
    .flatMap((field) => rowsOf(field, '', memberOf(before, field), memberOf(after, field)))
    .filter((row) => sides.some((side) => !isNone(row[side])))
  const shown = Object.fromEntries(
    rows.map(({ key, member, ...row }) => [key, { [member]: sides.map((side) => row[side] ?? null) }]),
  )
  // The options of a child are named by its parent.
  const parent = fields.includes('optionIds') ? { parentId: after.parentId ?? before.parentId } : {}
  const names = useNames({ ...shown, ...parent }, [before, after])
  const currency = after.currency ?? before.currency
  return (
    <Known.Provider value={{ names, currency: typeof currency === 'string' ? currency : null }}>
      <Table titles={['Member', ...(kind === 'UPDATED' ? ['Before', 'After'] : ['Value'])]}>
        {rows.map(({ key, label, member, same, ...row }) => (
          <tr key={key}>
            <th scope="row">
              {label}
              {same > 0 && <div class="soft">{same.toLocaleString()} more as before</div>}
            </th>
            {sides.map((side) => (
              <td key={side}>
                <Value of={row[side]} member={member} />
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </Known.Provider>
  )
}

/** A member by its name in the graph; records have them in either form. */
const memberOf = (record: JsonObject, field: string): Json | undefined =>
  record[field] ?? record[field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]

const textOf = (value: Json | undefined): string => JSON.stringify(sorted(value ?? null))

/** With the members in one order, since the database has its own. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const members = Object.entries(value).filter(([, one]) => !isNone(one))
  return Object.fromEntries(
    members.sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, one]) => [key, sorted(one as Json)]),
  )
}

/** The lines of a member; `within` is the one that it is nested in. */
function rowsOf(member: string, within: string, before: Json | undefined, after: Json | undefined, path = ''): Row[] {
  if (textOf(before) === textOf(after)) return []
  const words = memberWords(member, within)
  const label = path ? `${path}, ${words}` : words
  // A price of a currency is read as one, and so is a thing in place of another.
  const isWhole = /^[A-Z]{3}$/.test(member)
  if (isObject(before) && isObject(after) && before.id === after.id && !isWhole)
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
      rowsOf(key, member, before[key], after[key], label),
    )
  const [lost, added] = [withoutThose(before, after), withoutThose(after, before)]
  const isMoved = isNone(lost) && isNone(added)
  const sides = isMoved ? { before, after } : { before: lost, after: added }
  const same = Array.isArray(before) && !isMoved ? before.length - (lost as readonly Json[]).length : 0
  return [{ key: label, label, member, ...sides, same: Array.isArray(after) ? same : 0 }]
}

/** The items of a list that another one lacks; another value as it is. */
function withoutThose(value: Json | undefined, other: Json | undefined): Json | undefined {
  if (!Array.isArray(value) || !Array.isArray(other)) return value
  const known = new Set(other.map(textOf))
  return value.filter((one) => !known.has(textOf(one)))
}
