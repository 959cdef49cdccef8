/**
 * Record inputs: the input fields of the mutations that create and update a defined record, and how they are read. They
 * are built when the program starts, so `run` of such a mutation gets `data`, and no typed input.
 */
import type { EnumRef, InputFieldMap } from '@pothos/core'
import { INT4_MAX } from '../../domain/input/limits.ts'
import { type RecordDefinition, restNameOf } from '../../domain/input/record-definition.ts'
import type { Member, Members } from '../../domain/input/record-members.ts'
import type { InputBuilder } from '../schema/define-mutation.ts'
import { type InputMember, type InputMembers, idMember } from '../schema/graph-input.ts'
import type { Types } from '../schema/graph-types.ts'
import { LocaleInput, localesMember } from '../schema/locale.ts'
import { CurrencyPriceInput, pricesMember } from './price.ts'
import { CurrencyTieredPriceInput, tieredPricesMember } from './tiered-price.ts'

/**
 * The description of a field, or one for a create and one for an update. `{limits}`, `{min}` and `{max}` stand for the
 * limits of the member.
 */
type Description = string | readonly [create: string, update: string]

interface Described {
  readonly description: Description
  /** The field's name, where it differs from the member's. */
  readonly name?: string
  /** Whether an update has no field for it. */
  readonly isCreateOnly?: boolean
}

interface WordForm extends Described {
  readonly type: EnumRef<Types, string>
}

interface LinkForm extends Described {
  /** The types of the graph whose ids are accepted. */
  readonly ids: readonly string[]
}

export interface CustomForm extends Described {
  readonly field: (t: InputBuilder, options: { required: boolean; description: string }) => InputFieldMap[string]
  /** How it is read, where its form differs from REST's. */
  readonly form?: InputMember
}

/** How the graph shows the members of a record, each by its name. */
export type RecordForm<M extends Members> = {
  readonly [K in keyof M]: M[K] extends { readonly words: readonly (infer Word)[] }
    ? Described & { readonly type: EnumRef<Types, Word> }
    : M[K]['kind'] extends 'link' | 'links'
      ? LinkForm
      : M[K]['kind'] extends 'custom'
        ? CustomForm
        : Description | Described
}

type AnyForm = Described & Partial<WordForm & LinkForm & CustomForm>

/** The description, given without its full stop, of a member that an update can't clear. */
export function kept(description: string): Description {
  return [`${description}.`, `${description}; it can not be cleared.`]
}

/** The description, given with its full stop, of a member that null clears in an update. */
export function cleared(description: string): Description {
  return [description, `${description} Null clears it.`]
}

export interface RecordInputs {
  readonly create: (t: InputBuilder) => InputFieldMap
  readonly update: (t: InputBuilder) => InputFieldMap
  readonly members: InputMembers
}

/** The input fields of the mutations of a record, and how they are read. */
export function recordInputs<M extends Members>({ members }: RecordDefinition<M>, forms: RecordForm<M>): RecordInputs {
  const all = Object.entries<Member>(members).map(([name, member]) => {
    const given: AnyForm | Description = forms[name] as AnyForm | Description
    return { name, member, form: typeof given === 'object' && 'description' in given ? given : { description: given } }
  })
  const fields = (isNew: boolean) => (t: InputBuilder) =>
    Object.fromEntries(
      all.flatMap(({ name, member, form }) => {
        if (form.isCreateOnly && !isNew) return []
        const { description: texts } = form
        const text = typeof texts === 'string' ? texts : texts[isNew ? 0 : 1]
        const options = { required: isNew && member.presence === 'required', description: withLimits(text, member) }
        return [[form.name ?? name, inputField(t, member, form, options)]]
      }),
    )
  return {
    create: fields(true),
    update: fields(false),
    members: Object.fromEntries(
      all.map(({ name, member, form }) => [restNameOf(name, member), inputMember(member, form.name ?? name, form)]),
    ),
  }
}

function inputField(
  t: InputBuilder,
  member: Member,
  form: AnyForm,
  options: { required: boolean; description: string },
): InputFieldMap[string] {
  switch (member.kind) {
    case 'text':
      return t.string(options)
    case 'word':
      return t.field({ ...options, type: given(form.type) })
    case 'integer':
      return member.max <= INT4_MAX ? t.int(options) : t.field({ ...options, type: 'Long' })
    case 'number':
      return t.float(options)
    case 'boolean':
      return t.boolean(options)
    case 'link':
      return t.id(options)
    case 'links':
      return t.idList(options)
    case 'prices':
      return t.field({ ...options, type: [CurrencyPriceInput] })
    case 'tieredPrices':
      return t.field({ ...options, type: [CurrencyTieredPriceInput] })
    case 'locales':
      return t.field({ ...options, type: [LocaleInput] })
    case 'custom':
      return given(form.field)(t, options)
  }
}

/** How a member is read, also for the paths of userErrors. */
function inputMember(member: Member, name: string, form: AnyForm): InputMember {
  switch (member.kind) {
    case 'text':
    case 'word':
    case 'integer':
    case 'number':
    case 'boolean':
      return { name }
    case 'link':
    case 'links':
      return { ...idMember(...given(form.ids)), name }
    case 'prices':
      return { ...pricesMember, name }
    case 'tieredPrices':
      return { ...tieredPricesMember, name }
    case 'locales':
      return { ...localesMember, name }
    case 'custom':
      return { ...form.form, name }
  }
}

function given<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('the form of a member lacks what its kind needs')
  return part
}

/** The description with the limits of the member; throws for a limit that it lacks. */
function withLimits(description: string, member: Member): string {
  return description.replace(/\{(limits|min|max)\}/g, (_, name: 'limits' | 'min' | 'max') => {
    const found = name === 'limits' ? limitsOf(member) : member[name as never]
    if (found === undefined) throw new Error(`no ${name} for: ${description}`)
    return String(found)
  })
}

/** `3 to 1024 characters, unique among books`, `at most 200`, `0 to 10000`. */
function limitsOf(member: Member): string | undefined {
  switch (member.kind) {
    case 'text': {
      const { min, max, unique } = member
      return `${min === undefined ? 'at most' : `${min} to`} ${max} characters${unique === undefined ? '' : `, unique ${unique}`}`
    }
    case 'integer':
    case 'number':
      return `${member.min} to ${member.max}`
    case 'links':
    case 'prices':
    case 'tieredPrices':
    case 'locales':
    case 'custom':
      return member.max === undefined ? undefined : `at most ${member.max}`
    case 'word':
    case 'boolean':
    case 'link':
      return undefined
  }
}
