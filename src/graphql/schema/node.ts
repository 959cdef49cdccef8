/** Relay's `Node`: every noun that can be had by its global id alone registers here. */
import type { FieldMap, InterfaceRef, ObjectRef } from '@pothos/core'
import { isUuid } from '../../domain/input/formats.ts'
import type { Right } from '../../operations/operation.ts'
import type { Context } from '../../request/context.ts'
import { builder } from './builder.ts'
import type { GraphTypes } from './graph-types.ts'
import type { IdForm } from './ids.ts'
import { registerNodeType } from './relay.ts'

type Types = PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>
type Entity = { readonly id: string }

interface NodeOptions<T extends Entity> {
  readonly description: string
  readonly right: Right
  /** By raw id, through a loader or an operation that hides what the viewer may not know of. */
  readonly load: (id: string, ctx: Context) => Promise<T | null>
  readonly isId?: IdForm
  /** Further interfaces, whose fields the type inherits. */
  readonly interfaces?: readonly InterfaceRef<Types, T>[]
  readonly fields: (t: PothosSchemaTypes.ObjectFieldBuilder<Types, T>) => FieldMap
}

export const NodeRef = builder.nodeInterfaceRef()

/** Implements `ref` as a Node: `id` is made from the entity's raw id, the other fields are given. */
export function implementNode<T extends Entity>(ref: ObjectRef<Types, T>, options: NodeOptions<T>): void {
  const { description, right, isId = isUuid, interfaces = [], fields } = options
  registerNodeType(ref.name, { right, isId, load: options.load })
  builder.node(ref, {
    description,
    right,
    id: { description: `The global id of the ${ref.name}.`, resolve: (entity) => entity.id },
    interfaces: interfaces as never,
    fields,
  })
}
