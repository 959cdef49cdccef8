/** The drawing of the guide to concepts is that of the graph. */
import { buildSchema, getNamedType, isObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { codeBlocks, readPage } from '../support/markdown.ts'

type Edge = readonly [from: string, field: string, to: string]

/** The edges of a line of the drawing, in which one may follow another: `A -- field --> B -- field --> C`. */
function edgesOf(line: string): Edge[] {
  const names = line.trim().split(/ -- | --> /)
  return names.flatMap((from, at): Edge[] =>
    at % 2 === 0 && names[at + 2] ? [[from, names[at + 1] ?? '', names[at + 2] ?? '']] : [],
  )
}

const schema = buildSchema(readPage('schema.graphql'))

/** The name of the type that a field leads to: of a connection, that of its nodes. */
function targetOf(from: string, field: string): string | undefined {
  const type = schema.getType(from)
  const target = isObjectType(type) ? type.getFields()[field]?.type : undefined
  const named = target && getNamedType(target)
  const nodes = isObjectType(named) && named.name.endsWith('Connection') ? named.getFields().nodes : undefined
  return nodes ? getNamedType(nodes.type).name : named?.name
}

test('the guide to concepts draws edges that are fields of the graph', () => {
  const [drawing = ''] = codeBlocks(readPage('src/guides/concepts.md'), 'mermaid')
  const edges = drawing.split('\n').flatMap(edgesOf)
  expect(edges.length).toBeGreaterThan(15)
  expect(edges.filter(([from, field, to]) => targetOf(from, field) !== to)).toEqual([])
})
