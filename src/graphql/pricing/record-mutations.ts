/** Record mutations: those that create, change and delete a defined record. */
import type { ObjectRef } from '@pothos/core'
import type { RecordDefinition } from '../../domain/input/record-definition.ts'
import type { Members } from '../../domain/input/record-members.ts'
import type { Command } from '../../operations/operation.ts'
import { defineMutation } from '../schema/define-mutation.ts'
import type { Types } from '../schema/graph-types.ts'
import { type RecordForm, type RecordInputs, recordInputs } from './record-input.ts'

interface Change<Input, Item> {
  readonly description: string
  readonly run: Command<Input, Item>
}

interface RecordMutations<M extends Members, Item, Owner extends string> {
  readonly record: RecordDefinition<M>
  readonly ref: ObjectRef<Types, Item>
  /** What descriptions call it. */
  readonly noun: string
  readonly members: RecordForm<M>
  /** The verb of the create's name, as in `addProductPrice`; absent: `create`. */
  readonly verb?: 'add'
  /** The record that a new record belongs to; the input of the create names it in `member`. */
  readonly owner?: { readonly type: string; readonly noun: string; readonly member: Owner }
  readonly create: Change<{ readonly data: unknown } & { readonly [K in Owner]: string }, Item>
  readonly update: Change<{ readonly id: string; readonly data: unknown }, Item>
  readonly remove: Change<{ readonly id: string }, Item>
}

/** Adds `createPlan`, `updatePlan` and `deletePlan` to the schema, for `Plan`. Returns the fields of their inputs. */
export function defineRecordMutations<M extends Members, Item, Owner extends string = never>(
  type: string,
  { record, ref, noun, members: forms, verb, owner, create, update, remove }: RecordMutations<M, Item, Owner>,
): RecordInputs {
  const inputs = recordInputs(record, forms)
  const { members } = inputs
  const result = (description: string) => ({
    name: `${type.charAt(0).toLowerCase()}${type.slice(1)}`,
    type: ref,
    description,
  })
  const changes = { right: 'admin', guard: 'ifUpdatedAt', target: { type: ref.name, noun } } as const
  defineMutation(`${verb ?? 'create'}${type}`, {
    description: create.description,
    right: 'admin',
    guard: 'idempotencyKey',
    ...(owner && { target: owner }),
    input: inputs.create,
    members,
    result: result(`The new ${noun}.`),
    run: (ctx, { id, data }, options) => {
      const input = { ...(owner && { [owner.member]: id }), data }
      return create.run(ctx, input as Parameters<typeof create.run>[1], options)
    },
  })
  defineMutation(`update${type}`, {
    description: update.description,
    ...changes,
    input: inputs.update,
    members,
    result: result(`The ${noun} after the change.`),
    run: (ctx, { id, data }, options) => update.run(ctx, { id, data }, options),
  })
  defineMutation(`delete${type}`, {
    description: remove.description,
    ...changes,
    result: result(`The ${noun} as it was.`),
    run: (ctx, { id }, options) => remove.run(ctx, { id }, options),
  })
  return inputs
}
