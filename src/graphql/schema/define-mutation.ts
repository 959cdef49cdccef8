/**
 * Mutations: the form that all of them share. A mutation has one `input`, calls one operation, and returns a payload
 * with the result and userErrors (graph.expected-failures-in-payload, write.idempotency-key).
 */
import type { InputFieldMap, InputShapeFromFields, ShapeFromTypeParam, TypeParam } from '@pothos/core'
import type { DomainError } from '../../domain/input/errors.ts'
import { IDEMPOTENCY_KEY_MAX } from '../../domain/input/limits.ts'
import type { FormedInput } from '../../domain/input/read-input.ts'
import type { CommandOptions, Right } from '../../operations/operation.ts'
import type { Context } from '../../request/context.ts'
import { builder } from './builder.ts'
import { type UserError, UserErrorRef, userErrorsOf } from './errors.ts'
import { graphInput, type InputMembers } from './graph-input.ts'
import type { Types } from './graph-types.ts'
import { readId, requiredId } from './ids.ts'

/** Pothos' builder of input fields. */
export type InputBuilder = PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>

/** What `run` gets from the input, always without the guard. */
interface Given<Fields extends InputFieldMap> {
  /** The raw id of the target; '' for a mutation without one. */
  readonly id: string
  /** The input without the target's id, for the operation to read. */
  readonly data: FormedInput
  /** The same part as the client wrote it. */
  readonly input: InputShapeFromFields<Fields>
}

type Guard = 'idempotencyKey' | 'ifUpdatedAt' | 'both'

interface MutationOptions<Fields extends InputFieldMap, Type extends TypeParam<Types>, Name extends string> {
  readonly description: string
  /** Who may call it; checked before the input is read. */
  readonly right: Right
  /**
   * Creates, publishes and state actions take an idempotency key. Updates, moves and deletes take ifUpdatedAt. What is
   * done to a subscription takes both.
   */
  readonly guard?: Guard
  /**
   * The record that the input names by its id, in the member `id` unless another one is given; `noun` is for its
   * description.
   */
  readonly target?: { readonly type: string; readonly noun: string; readonly member?: string }
  readonly input?: (t: InputBuilder) => Fields
  /** How members of the input are read, also for the paths of userErrors. */
  readonly members?: InputMembers
  /** The payload's field for the result of `run`. */
  readonly result: { readonly name: Name; readonly type: Type; readonly description: string }
  /** Calls one operation with the input. Rules and error handling belong elsewhere. */
  readonly run: (
    ctx: Context,
    given: Given<Fields>,
    options: CommandOptions,
  ) => Promise<ShapeFromTypeParam<Types, Type, true>> | ShapeFromTypeParam<Types, Type, true>
  /** With it the input has `dryRun`, which calls this instead, without the idempotency key, for the field `preview`. */
  readonly preview?: {
    readonly type: TypeParam<Types>
    readonly run: (ctx: Context, given: Given<Fields>, options: CommandOptions) => Promise<unknown>
  }
}

interface Payload<T> {
  readonly result: T | null
  readonly preview?: unknown
  readonly userErrors: readonly UserError[]
}

/** Adds the mutation `name` to the schema, with its types `NameInput` and `NamePayload`. */
export function defineMutation<Fields extends InputFieldMap, Type extends TypeParam<Types>, Name extends string>(
  name: string,
  options: MutationOptions<Fields, Type, Name>,
): void {
  const { description, right, guard, target, input, members, result, run, preview } = options
  /** The member with the target's id; no member has the name ''. */
  const targetMember = target ? (target.member ?? 'id') : ''
  type Result = ShapeFromTypeParam<Types, Type, true>
  const capitalized = `${name.charAt(0).toUpperCase()}${name.slice(1)}`

  const Input = builder.inputType(`${capitalized}Input`, {
    description: `The input of \`${name}\`.`,
    fields: (t) => ({
      ...(target && { [targetMember]: t.id(requiredId(target.noun)) }),
      ...input?.(t),
      ...(preview && {
        dryRun: t.boolean({
          description:
            'Whether to write nothing and return `preview`: what it would do. An idempotency key then has no effect.',
        }),
      }),
      ...guardFields(t, guard),
    }),
  })

  const PayloadRef = builder.objectRef<Payload<Result>>(`${capitalized}Payload`).implement({
    description: `The result of \`${name}\`.`,
    right: 'anyone',
    fields: (t) => ({
      [result.name]: t.field({
        type: result.type as TypeParam<Types>,
        nullable: true,
        description: `${result.description} Null when there are userErrors, save after a conflict that a current state explains (STALE)${preview ? ', and for a dry run' : ''}.`,
        resolve: (payload) => payload.result as never,
      }),
      ...(preview && {
        preview: t.field({
          type: preview.type,
          nullable: true,
          description: 'What it would do; null when there are userErrors, and for what is no dry run.',
          resolve: (payload) => (payload.preview ?? null) as never,
        }),
      }),
      userErrors: t.field({
        type: [UserErrorRef],
        description: 'Why nothing was changed; empty when it was.',
        resolve: (payload) => [...payload.userErrors],
      }),
    }),
  })

  builder.mutationField(name, (t) =>
    t.field({
      type: PayloadRef,
      description,
      right,
      args: { input: t.arg({ type: Input, required: true, description: `The input of \`${name}\`.` }) },
      resolve: async (_, args, ctx): Promise<Payload<Result>> => {
        const whole = (args as unknown as { input: CommandOptions & Readonly<Record<string, unknown>> }).input
        const { idempotencyKey, ifUpdatedAt, [targetMember]: targetId, ...others } = whole
        const { dryRun, ...planned } = others
        const rest = preview ? planned : others
        try {
          const id = target ? readId(target.type, targetId as string, [targetMember]) : ''
          const given = { id, data: graphInput(rest, members), input: rest as InputShapeFromFields<Fields> }
          if (preview && dryRun) {
            const options = { ifUpdatedAt, operation: name }
            return { result: null, preview: await preview.run(ctx, given, options), userErrors: [] }
          }
          const result = await run(ctx, given, { idempotencyKey, ifUpdatedAt, operation: name })
          // Fields of the payload, and later mutations of the request, must not see records that were loaded before the
          // write.
          ctx.loaders.clearAll()
          return { result, userErrors: [] }
        } catch (error) {
          const userErrors = userErrorsOf(error, { input: whole, members })
          if (!userErrors) throw error
          return { result: ((error as DomainError).current ?? null) as Result | null, userErrors }
        }
      },
    }),
  )
}

function guardFields(t: InputBuilder, guard: Guard | undefined): InputFieldMap {
  return {
    ...((guard === 'idempotencyKey' || guard === 'both') && {
      idempotencyKey: t.string({
        description: `1 to ${IDEMPOTENCY_KEY_MAX} characters of your choice: the same key and input within 24 hours give the first result again, and nothing is done twice.`,
      }),
    }),
    ...((guard === 'ifUpdatedAt' || guard === 'both') && {
      ifUpdatedAt: t.field({
        type: 'DateTime',
        description:
          'The `updatedAt` that you last saw: when the record has moved on, nothing is changed and the current record is returned (STALE).',
      }),
    }),
  }
}
