/** Hierarchies, nodes and their products for tests, created by the operations. */
import type { HierarchyNode } from '../../src/domain/catalog/hierarchy-node.ts'
import { DomainError } from '../../src/domain/input/errors.ts'
import { createHierarchy } from '../../src/operations/catalog/hierarchy.ts'
import { createNode } from '../../src/operations/catalog/hierarchy-node.ts'
import { createProduct } from '../../src/operations/products/product.ts'
import type { Context } from '../../src/request/context.ts'

export function makeHierarchy(ctx: Context, name: string, attributes: object = {}): Promise<HierarchyNode> {
  return createHierarchy(ctx, { data: { type: 'hierarchy', attributes: { name, ...attributes } } })
}

export function makeNode(
  ctx: Context,
  parent: { readonly id: string },
  name: string,
  attributes: object = {},
  relationships: object = {},
): Promise<HierarchyNode> {
  return createNode(ctx, { data: nodeData(parent.id, { name, ...attributes }, relationships) })
}

export function nodeData(parent: unknown, attributes: object, relationships: object = {}): object {
  return { type: 'node', attributes, relationships: { parent: { data: parent }, ...relationships } }
}

export async function makeProducts(ctx: Context, ...names: string[]): Promise<string[]> {
  const ids: string[] = []
  for (const name of names) {
    const { id } = await createProduct(ctx, {
      data: { type: 'product', attributes: { name, sku: name, external_ref: `ref-${name}`, status: 'live' } },
    })
    ids.push(id)
  }
  return ids
}

/** The violations of a call as `CODE path: message`; throws when the call succeeds. */
export async function violationsOf(call: Promise<unknown>): Promise<string[]> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return error.violations.map(
      ({ code, path, message }) =>
        `${code} ${path.map((at) => (typeof at === 'object' ? at.key : at)).join('.')}: ${message}`,
    )
  }
  throw new Error('the call succeeded')
}
