/** Query cost analysis, the tree: cost nodes per field, evaluated once the variables are known. */
import type { FieldNode, NameNode } from 'graphql'
import { WORK_MAX } from '../../request/request-work.ts'
import { type Size, sizeWith } from './cost-size.ts'
import { OBJECT_WEIGHT } from './cost-weights.ts'
import type { Variables } from './operation.ts'

/** The most points of an operation; a more costly one is refused. */
export const COST_MAX = WORK_MAX

/** The page that contributes most to an operation's cost, for the error message. */
export interface DearestPage {
  /** Names from the root of the response on. */
  readonly path: readonly string[]
  /** The requested number of items, and the largest number that would pass; 0 when none would. */
  readonly first: number
  readonly passes: number
}

/** A field and its cost: `size` objects of `points` each, plus the costs of the children per object. */
export interface CostNode {
  readonly name: string
  readonly size: Size
  /** The recent average length of a list without paging; null for any other field. */
  readonly length: { readonly value: number } | null
  /** Points of one object: its type's weight and its leaf fields. */
  points: number
  /** Points per parent object for reading list variables. */
  readonly entries: readonly Size[]
  readonly children: CostNode[]
  /** The size of the page if it is a connection, else null. */
  readonly page: Size | null
}

type SizeOf = (node: CostNode, variables: Variables) => number

const fullSize: SizeOf = ({ size }, variables) => sizeWith(size, variables)
/** The size of a field by recent averages, for lists without paging. */
export const likelySize: SizeOf = ({ size, length }, variables) => length?.value ?? sizeWith(size, variables)

/** Points of a field with everything below it. */
export function pointsOf(node: CostNode, variables: Variables, sizeOf = fullSize): number {
  const entries = node.entries.reduce<number>((sum, size) => sum + sizeWith(size, variables), 0)
  const ofOne = node.children.reduce((sum, child) => sum + pointsOf(child, variables, sizeOf), node.points)
  return entries + sizeOf(node, variables) * ofOne
}

/**
 * Follows the most costly field from the root down and returns the innermost connection on that path; null when there
 * is none.
 */
export function dearestPage(root: CostNode, variables: Variables): DearestPage | null {
  const whole = pointsOf(root, variables)
  const costs = (nodes: readonly CostNode[]): number => nodes.reduce((sum, node) => sum + pointsOf(node, variables), 0)
  let found: DearestPage | null = null
  let times = 1
  const path: string[] = []
  for (let node: CostNode | undefined = root; node; node = dearestOf(node.children, variables)) {
    if (node !== root) path.push(node.name)
    const first = node.page === null ? 0 : sizeWith(node.page, variables)
    const items = first > 0 ? times * costs(node.children.filter(({ size }) => size === node?.page)) : 0
    if (items > 0) {
      const passes = Math.max(0, Math.floor((first * (COST_MAX - (whole - items))) / items))
      found = { path: [...path], first, passes }
    }
    times *= sizeWith(node.size, variables)
  }
  return found
}

function dearestOf(nodes: readonly CostNode[], variables: Variables): CostNode | undefined {
  const costs = nodes.map((node) => pointsOf(node, variables))
  return nodes[costs.indexOf(Math.max(...costs))]
}

/**
 * Points of one item, by the list's field in an analyzed document. The key is the name node, which copies of the field
 * share.
 */
const items = new WeakMap<NameNode, number>()

/**
 * Sets what an item of the list costs: the maximum, since other fields may be merged into one of the places where a
 * fragment is spread.
 */
export function setItemPoints(list: FieldNode, node: CostNode): void {
  items.set(list.name, Math.max(pointsOfItem(node), itemPoints(list)))
}

/**
 * Points of one item of a list with its nested objects. Nested lists are not included: they are counted by their own
 * items.
 */
export function itemPoints(node: FieldNode): number {
  return items.get(node.name) ?? OBJECT_WEIGHT
}

function pointsOfItem({ points, children }: CostNode): number {
  return children.reduce((sum, child) => sum + (child.size === 1 ? pointsOfItem(child) : 0), points)
}
