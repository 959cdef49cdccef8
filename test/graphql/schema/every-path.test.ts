/**
 * Every record by every path of the graph that leads to it, found in the schema itself: it is the same by each, in all
 * its fields. Each nullable column has a value first, so that a path which forgets one shows a null.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getNamedType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '../../../src/config/project-root.ts'
import { schema } from '../../../src/graphql/schema.ts'
import { useDatabase } from '../../support/database.ts'
import { idsByType, insertEveryRecord } from '../../support/every-record.ts'
import { call } from '../../support/schema-walk.ts'
import { useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)

type Field = GraphQLField<unknown, unknown>

const isNode = (type: GraphQLNamedType): boolean =>
  isObjectType(type) && type.getInterfaces().some(({ name }) => name === 'Node')

/** The records: what has an id of its own and stays the same by whatever path it is read. */
const ofReleases = ['Account', 'CatalogProduct', 'CatalogHierarchy', 'CatalogNode', 'Release']
const isRecord = (type: GraphQLObjectType): boolean => isNode(type) && !ofReleases.includes(type.name)

const isRequired = ({ args }: Field): boolean =>
  args.some((arg) => isNonNullType(arg.type) && arg.defaultValue === undefined)
const isConnection = ({ args }: Field): boolean => args.some(({ name }) => name === 'before')
const fieldsOf = (type: GraphQLObjectType): Field[] => Object.values(type.getFields())

/** All of a record that is its own: no list of others, and none of the records that it names. */
function whole(type: GraphQLObjectType, depth = 3): string[] {
  return fieldsOf(type).flatMap((field) => {
    const answer = getNamedType(field.type)
    if (isRequired(field) || isConnection(field)) return []
    if (isLeafType(answer)) return [field.name]
    if (!isObjectType(answer) || isNode(answer) || depth === 0) return []
    return [`${field.name} { ${['__typename', ...whole(answer, depth - 1)].join(' ')} }`]
  })
}

/** A path from a type to a record, by whatever lies between: the types that are no Node, each once. */
interface Path {
  readonly from: string
  readonly fields: readonly Field[]
  readonly to: GraphQLObjectType
}

function pathsFrom(
  type: GraphQLObjectType,
  from: string,
  fields: readonly Field[] = [],
  passed: readonly string[] = [],
): Path[] {
  return fieldsOf(type).flatMap((field) => {
    const answer = getNamedType(field.type)
    // What edges have besides, `nodes` has; what a list is about would lead back.
    if (!isObjectType(answer) || /^(edges|pageInfo|history)$/.test(field.name) || passed.includes(answer.name))
      return []
    if (isRequired(field) && !(field.name in needed)) return []
    const path = [...fields, field]
    if (isRecord(answer)) return [{ from, fields: path, to: answer }]
    return isNode(answer) ? [] : pathsFrom(answer, from, path, [...passed, answer.name])
  })
}

/** The arguments of fields that need some. */
const needed: Record<string, Record<string, string>> = { priceTimeline: { from: '"2026-01-01T00:00:00Z"' } }
const paths = Object.values(schema.getTypeMap())
  .filter((type): type is GraphQLObjectType => isObjectType(type) && (type === schema.getQueryType() || isNode(type)))
  .flatMap((type) => pathsFrom(type, type.name))
  // Modifiers change inherited prices alone, which neither a bundle nor its options have here.
  .filter(({ fields }) => !/^bundleConfiguration\..*modifiers/.test(fields.map(({ name }) => name).join('.')))

const titleOf = ({ from, fields, to }: Path): string =>
  `${[from, ...fields.map(({ name }) => name)].join('.')} is ${to.name}`

function selectionOf({ fields }: Path, parts: readonly string[]): string {
  return fields.reduceRight(
    (inner, field) => {
      const given = { ...needed[field.name], ...(isConnection(field) && { first: '3' }) }
      return `${call(field, '', given)} { ${inner} }`
    },
    `id ${parts.join(' ')}`,
  )
}

/** The records in a response. */
function recordsIn(value: unknown, [field, ...others]: readonly Field[]): Found[] {
  if (value == null) return []
  if (Array.isArray(value)) return value.flatMap((one) => recordsIn(one, [field as Field, ...others].filter(Boolean)))
  const members = value as Record<string, unknown>
  return field === undefined ? [members] : recordsIn(members[field.name], others)
}

let ids: Record<string, string[]> = {}
beforeAll(async () => {
  await insertEveryRecord(server, database)
  await fillColumns()
  ids = await idsByType(database)
})

/** Gives each text column of the records a value that has none, and each record an instant of change of its own. */
async function fillColumns(): Promise<void> {
  const { rows } = await database.pool.query<{ table: string; column: string }>(`
    SELECT table_name AS table, column_name AS column FROM information_schema.columns c
    WHERE table_schema = 'public' AND is_nullable = 'YES' AND data_type = 'text' AND column_name <> 'commodity_type'
      AND EXISTS (SELECT FROM information_schema.columns o WHERE o.table_name = c.table_name AND o.column_name = 'external_ref')`)
  for (const { table, column } of rows)
    await database.pool.query(`UPDATE ${table} SET ${column} = concat('${column} of ', id) WHERE ${column} IS NULL`)
}

type Found = Record<string, unknown>

/**
 * The records at the ends of a path from these owners, with these parts; in several requests when one would cost too
 * much.
 */
async function ask(path: Path, owners: readonly string[], parts: readonly string[]): Promise<Found[]> {
  const selection = selectionOf(path, parts)
  const isRoot = path.from === 'Query'
  const text = isRoot
    ? `{ ${selection} }`
    : `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ${path.from} { ${selection} } } }`
  const { data, errors } = await server.gql(text, isRoot ? {} : { ids: owners })
  if (errors?.[0].extensions.code === 'QUERY_TOO_COSTLY') {
    const [half, middle] = [Math.ceil(owners.length / 2), Math.ceil(parts.length / 2)]
    // Lists within lists cost too much whatever else is asked for.
    if (owners.length === 1 && parts.length === 1) return ask(path, owners, [])
    if (owners.length > 1)
      return [...(await ask(path, owners.slice(0, half), parts)), ...(await ask(path, owners.slice(half), parts))]
    const first = await ask(path, owners, parts.slice(0, middle))
    const others = new Map((await ask(path, owners, parts.slice(middle))).map((record) => [record.id, record]))
    return first.map((record) => ({ ...record, ...others.get(record.id) }))
  }
  expect(errors).toBeUndefined()
  return recordsIn(isRoot ? data : data.nodes, path.fields)
}

/** The records at the ends of a path, by their id. */
async function found(path: Path): Promise<Map<unknown, Found>> {
  const owners = path.from === 'Query' ? [''] : (ids[path.from] ?? [])
  const records: Found[] = []
  for (let at = 0; at < owners.length && records.length < 5; at += 10)
    records.push(...(await ask(path, owners.slice(at, at + 10), whole(path.to))))
  return new Map(records.map((record) => [record.id, record]))
}

describe('a record is the same by each path that leads to it', () => {
  it.each(paths.map((path) => [titleOf(path), path] as const))(
    'a record is the same by each path that leads to it: %s',
    async (_, path) => {
      const records = await found(path)
      expect(records.size, 'the store has one').toBeGreaterThan(0)
      const text = `query ($id: ID!) { node(id: $id) { ... on ${path.to.name} { ${whole(path.to).join(' ')} } } }`
      for (const [id, record] of [...records].slice(0, 5))
        expect((await server.gql(text, { id })).data.node).toMatchObject(record)
    },
  )
})

describe('the statements of persistence', () => {
  it('the statements of persistence name the columns of a record from its model, so that none can be forgotten when one is added', () => {
    const folder = join(projectRoot, 'src/persistence')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
    // Each record has these two, so that a list of columns written by hand has them.
    const byHand = /AS "(created|updated)At"|'(created|updated)At', *(\$\{|ms\(|[a-z]+\.)|created_at, updated_at/
    // A carried release copies nodes and documents of a release, which are no records; and a job of an import is none.
    const copies = [
      ...['catalog/publish/carried-release.ts', 'catalog/publish/carry-order.ts'],
      'imports/import-upload.ts',
    ]
    const others = files.filter((file) => !copies.includes(file))
    expect(others.filter((file) => byHand.test(readFileSync(join(folder, file), 'utf8')))).toEqual([])
  })
})
