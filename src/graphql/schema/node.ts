/** Relay's Node interface: types that can be fetched by their global id alone. */
import type { FieldMap, InterfaceRef, ObjectRef } from '@pothos/core'
import { isUuid } from '../../domain/input/formats.ts'
import type { Right } from '../../operations/operation.ts'
import type { Context } from '../../request/context.ts'
import { builder } from './builder.ts'
import type { FieldBuilder, Types } from './graph-types.ts'
import { type IdForm, readId, requiredId } from './ids.ts'
import { registerNodeType } from './relay.ts'

type Entity = { readonly id: string }

interface NodeOptions<T extends Entity> {
  readonly description: string
  readonly right: Right
  /** Loads by raw id. Null for what does not exist (graph.absent-is-null), and for what the viewer must not see. */
  readonly load: (id: string, ctx: Context) => Promise<T | null>
  /** The form of the type's raw ids; a UUID when absent. */
  readonly isId?: IdForm
  /** The raw id of an entity; its `id` when absent. */
  readonly idOf?: (entity: T) => string
  /** Further interfaces, whose fields the type inherits. */
  readonly interfaces?: readonly InterfaceRef<Types, T>[]
  /** The root field that finds a record by its id: its name, its description, and what the argument `id` says. */
  readonly rootField?: {
    readonly name: string
    readonly description: string
    readonly noun: string
    readonly example?: string
  }
  readonly fields: (t: FieldBuilder<T>) => FieldMap
}

export const NodeRef = builder.nodeInterfaceRef()

/** Implements an object type as a Node. Its `id` is the global id of the entity's raw id. */
export function implementNode<T extends Entity>(ref: ObjectRef<Types, T>, options: NodeOptions<T>): void {
  const { description, right, load, isId = isUuid, idOf = ({ id }) => id, interfaces = [], rootField, fields } = options
  registerNodeType(ref.name, { right, isId, load })
  builder.node(ref, {
    description,
    right,
    id: { description: `The global id of the ${ref.name}.`, resolve: idOf },
    interfaces: interfaces as never,
    fields,
  })
  if (!rootField) return
  builder.queryField(rootField.name, (t) =>
    t.field({
      type: ref,
      nullable: true,
      right,
      description: rootField.description,
      args: { id: t.arg.id(requiredId(rootField.noun, rootField.example)) },
      resolve: (_, { id }, ctx) => load(readId(ref.name, id, ['id'], isId), ctx) as never,
    }),
  )
}
