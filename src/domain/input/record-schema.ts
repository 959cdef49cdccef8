/** Record schemas: the JSON schema of a record's document, from its definition. It also gives the known members. */
import { recordDocument, reference, relationships, serverSet } from './document.ts'
import * as schema from './json-schema.ts'
import { type RecordDefinition, restNameOf } from './record-definition.ts'
import type { Member, Members } from './record-members.ts'

interface SchemaOptions {
  readonly isNew?: boolean
  readonly own?: schema.Members
  readonly shown?: readonly string[]
  readonly shownRelationships?: readonly string[]
  readonly title?: string
}

/**
 * The document of a record. An update or an import may give it in part; with `isNew` it is that of a create, which must
 * be complete. `own` are members besides its attributes; `shown` and `shownRelationships` are those that only the
 * server sets. A title names the schema.
 */
export function recordSchema<M extends Members>(
  { type, members }: RecordDefinition<M>,
  { isNew = false, own = { 'id?': schema.uuid }, shown = [], shownRelationships = [], title }: SchemaOptions = {},
): schema.Schema {
  const entries = Object.entries<Member>(members)
  const attributes = entries
    .filter(([, { at }]) => at === undefined)
    .flatMap(([name, member]) =>
      namesOf(name, member).map((restName) => [
        `${restName}${isNew && member.presence === 'required' ? '' : '?'}`,
        schemaOf(member),
      ]),
    )
  const related = entries
    .filter(([, { at }]) => at === 'relationships')
    .map(([name, member]) => [restNameOf(name, member), schemaOf(member)])
  return recordDocument(
    type,
    Object.fromEntries([...attributes, ...shown.map((name) => [`${name}?`, serverSet])]),
    {
      ...own,
      ...(related.length > 0 && { 'relationships?': relationships(Object.fromEntries(related), shownRelationships) }),
    },
    title,
  )
}

function namesOf(name: string, member: Member): string[] {
  const alias = member.kind === 'text' ? member.alias : undefined
  return [restNameOf(name, member), ...(alias === undefined ? [] : [alias])]
}

function schemaOf(member: Member): schema.Schema {
  const given = valueSchema(member)
  const isNullable = member.presence === 'optional' || member.presence === 'derived'
  return isNullable && !('merge' in member) ? schema.nullable(given) : given
}

function valueSchema(member: Member): schema.Schema {
  switch (member.kind) {
    case 'text': {
      const { min, max, format } = member
      return schema.text({ ...(min !== undefined && { min }), max, ...(format && format !== 'slug' && { format }) })
    }
    case 'word':
      return schema.word(...member.words)
    case 'integer':
      return schema.integer(member.min, member.max)
    case 'number':
      return { type: 'number', minimum: member.min, maximum: member.max }
    case 'boolean':
      return schema.boolean
    case 'link':
      return reference(member.types)
    case 'links':
      return schema.list(reference([member.type]), member.max)
    case 'prices':
    case 'tieredPrices':
    case 'locales':
    case 'custom':
      return member.schema
  }
}
