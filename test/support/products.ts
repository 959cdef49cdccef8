/** Products for tests, created by the operations. */
import { DomainError, formatPath, type Violation } from '../../src/domain/input/errors.ts'
import type { Product } from '../../src/domain/products/product.ts'
import { createProduct } from '../../src/operations/products/product.ts'
import type { Context } from '../../src/request/context.ts'

/** The UUID number `n`, for ids that tests choose. */
export function idOf(n: number): string {
  return `0199c0de-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
}

export function productData(attributes: object = {}, relationships?: object): object {
  return { type: 'product', attributes: { name: 'Mug', ...attributes }, ...(relationships && { relationships }) }
}

export function makeProduct(ctx: Context, attributes: object = {}, relationships?: object): Promise<Product> {
  return createProduct(ctx, { data: productData(attributes, relationships) })
}

/** Components of one component `main` that has the options `ids`. */
export function optionsOf(...ids: string[]): object {
  return { main: { name: 'Main', options: ids.map((id) => ({ id })) } }
}

/** Variations as name -> ids of their options, numbered; a variation's own id is 1000 more than its first option's. */
export function variationsOf(variations: Record<string, number[]>): object[] {
  return Object.entries(variations).map(([name, options]) => ({
    id: idOf(1000 + (options[0] ?? 0)),
    name,
    options: options.map((n) => ({ id: idOf(n), name: `Option ${n}` })),
  }))
}

export function childOf(parentId: string, ...options: number[]): [object, object] {
  return [{ option_ids: options.map(idOf) }, { parent: { data: { type: 'product', id: parentId } } }]
}

/** Violations as `path CODE`. */
export function describeViolations(violations: readonly Violation[]): string[] {
  return violations.map(({ code, path }) => `${formatPath(path)} ${code}`)
}

/** An expected failure as `kind: path CODE, ...`. */
export async function describeFailure(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => 'nothing failed',
    (reason: unknown) => reason,
  )
  if (!(error instanceof DomainError)) throw error
  return `${error.kind}: ${describeViolations(error.violations).join(', ')}`
}
