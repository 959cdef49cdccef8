/** An operation's cost as a tree of its fields, and what can be told of it once the variables are known. */
import type { FieldNode } from 'graphql'
import { WORK_MAX } from '../../request/request-work.ts'
import { type Size, sizeWith, type Variables } from './cost-size.ts'
import { OBJECT_WEIGHT } from './cost-weights.ts'

/** Points; dearer operations are refused. */
export const COST_MAX = WORK_MAX

export interface DearestPage {
  /** Names from the root of the response on. */
  readonly path: readonly string[]
  /** How many items are asked for, and how many would pass; 0 when none would. */
  readonly first: number
  readonly passes: number
}

/** A field with a selection, and what it costs: `size` objects of `points` each, with what lies in each. */
export interface CostNode {
  readonly name: string
  readonly size: Size
  /** Of a list without a page: how long it is lately. */
  readonly length: { readonly value: number } | null
  /** Of one object: its type's weight and its values. */
  points: number
  /** Points for each object that it stands in, beside its own objects. */
  readonly entries: readonly Size[]
  readonly children: CostNode[]
  /** Whether it is a connection, with the size of its page. */
  readonly page: Size | null
}

type SizeOf = (node: CostNode, variables: Variables) => number

const fullSize: SizeOf = ({ size }, variables) => sizeWith(size, variables)
export const likelySize: SizeOf = ({ size, length }, variables) => length?.value ?? sizeWith(size, variables)

/** Points of all that a field answers. */
export function pointsOf(node: CostNode, variables: Variables, sizeOf = fullSize): number {
  const entries = node.entries.reduce<number>((sum, size) => sum + sizeWith(size, variables), 0)
  const ofOne = node.children.reduce((sum, child) => sum + pointsOf(child, variables, sizeOf), node.points)
  return entries + sizeOf(node, variables) * ofOne
}

/** The innermost page on the way of the dearest fields; with as many items as `passes` the whole would pass. */
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

/** By the list's field in a document whose cost was told. */
const items = new WeakMap<FieldNode, number>()

/** Remembers what an item of the list costs. A fragment that is spread in two places may have more selected beside it in one of them. */
export function setItemPoints(list: FieldNode, node: CostNode): void {
  items.set(list, Math.max(pointsOfItem(node), itemPoints(list)))
}

/** Points of one item of a list, with the single objects in it; the lists in it count by their own items. */
export function itemPoints(node: FieldNode): number {
  return items.get(node) ?? OBJECT_WEIGHT
}

function pointsOfItem({ points, children }: CostNode): number {
  return children.reduce((sum, child) => sum + (child.size === 1 ? pointsOfItem(child) : 0), points)
}
