/** Queries of the shopper's catalog, asked of another one: what its shoppers see can be looked at by administrators. */
import type { DocumentInput } from '@urql/core'

/** The documents of a catalog by those of the shopper's, so that each is one for the client's cache. */
const made = new Map<string, WeakMap<object, DocumentInput>>()

/**
 * The query with `catalog(id:)` in place of each root field `storefront`, under the name that the answer has; the query
 * itself without an id. A `storefront` with arguments asks for that of a given shopper, and stays.
 */
export function ofCatalog<Data, Variables extends Record<string, unknown>>(
  query: DocumentInput<Data, Variables>,
  id: string | undefined,
): DocumentInput<Data, Variables> {
  if (id === undefined || typeof query === 'string') return query
  const known = made.get(id) ?? new WeakMap<object, DocumentInput>()
  made.set(id, known)
  const found = known.get(query) ?? withCatalog(query as unknown as Document, id)
  known.set(query, found)
  return found as DocumentInput<Data, Variables>
}

/** The parts of a document that are read here. */
interface Document {
  readonly kind: string
  readonly definitions: readonly Definition[]
}
interface Definition {
  readonly kind: string
  readonly selectionSet: { readonly selections: readonly Selection[] }
}
interface Selection {
  readonly kind: string
  readonly name: { readonly kind: string; readonly value: string }
  readonly alias?: unknown
  readonly arguments?: readonly unknown[]
}

function withCatalog({ kind, definitions }: Document, id: string): DocumentInput {
  const name = (value: string) => ({ kind: 'Name', value })
  const argument = { kind: 'Argument', name: name('id'), value: { kind: 'StringValue', value: id } }
  const changed = (field: Selection): Selection =>
    field.kind === 'Field' && field.name.value === 'storefront' && !field.arguments?.length
      ? { ...field, alias: field.alias ?? field.name, name: name('catalog'), arguments: [argument] }
      : field
  const document = {
    kind,
    definitions: definitions.map((one) =>
      one.kind === 'OperationDefinition'
        ? { ...one, selectionSet: { ...one.selectionSet, selections: one.selectionSet.selections.map(changed) } }
        : one,
    ),
  }
  return document as unknown as DocumentInput
}
