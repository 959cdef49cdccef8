/** Which operations may be answered again with the bytes of an earlier answer (kept-answers.ts). */
import {
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'

/** Root fields that lead to what is published. */
const roots: ReadonlySet<string> = new Set(['catalog', 'configureBundle', 'node', 'nodes', 'release'])

/**
 * Types whose own fields tell what releases hold, by nothing of the request but its instant, role, display currency and languages. The
 * few that read records are told apart while they run (answer-validity.ts), and a field that leads to another type stops the keeping here.
 */
const types: ReadonlySet<string> = new Set([
  ...['Catalog', 'Release', 'BreadCrumb', 'CatalogBranch', 'CatalogHierarchy', 'CatalogNode', 'CatalogProduct', 'Node', 'PageInfo'],
  ...['CatalogNodeConnection', 'CatalogNodeEdge', 'CatalogProductConnection', 'CatalogProductEdge'],
  ...['CatalogPrice', 'CatalogSale', 'ShownTier', 'AppliedPriceModifier', 'Price', 'DisplayPrice', 'FormattedPrice'],
  ...['CatalogPriceModifier', 'CatalogPriceModifierAmount', 'CatalogPriceModifierTier'],
  ...['Attribute', 'CustomInput', 'Extension', 'ExtensionField', 'ProductFile', 'Variation', 'VariationOption', 'VariationMatrixEntry'],
  ...['BundleConfiguration', 'CatalogComponent', 'CatalogOption', 'ComponentProduct', 'SelectedComponent', 'SelectedOption'],
])

/** The names above, for the test that holds them to the schema. */
export const keptNames: readonly string[] = [...types, ...[...roots].map((name) => `Query.${name}`)]

/** Whether the operation is a query that reaches nothing but what is published. `document` is valid. Remembered by the operation. */
export function createIsKept(schema: GraphQLSchema): (document: DocumentNode, operation: OperationDefinitionNode) => boolean {
  const decided = new WeakMap<OperationDefinitionNode, boolean>()
  return (document, operation) => {
    const known = decided.get(operation)
    if (known !== undefined) return known
    const kept = operation.operation === 'query' && reachesOnlyPublished(schema, document)
    decided.set(operation, kept)
    return kept
  }
}

/** Of all operations and fragments of the document: who sends several in one sends them rarely. */
function reachesOnlyPublished(schema: GraphQLSchema, document: DocumentNode): boolean {
  const info = new TypeInfo(schema)
  let only = true
  const Field = ({ name }: { readonly name: { readonly value: string } }): void => {
    const parent = getNamedType(info.getParentType())
    only &&= name.value === '__typename' || (parent === schema.getQueryType() ? roots.has(name.value) : types.has(parent?.name ?? ''))
  }
  visit(document, visitWithTypeInfo(info, { Field }))
  return only
}
