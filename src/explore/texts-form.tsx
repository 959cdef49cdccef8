/** The form of a product's texts in one language. */
import { useMutation } from '@urql/preact'
import type { ResultOf } from 'gql.tada'
import type { JSX, RefObject, TargetedEvent } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { FieldErrors } from './field-errors.tsx'
import { graphql } from './graph.ts'
import { dropKept, useKeptForm } from './kept-form.tsx'
import { saying } from './parts.tsx'
import { Outcome } from './release-actions.tsx'
import { NothingNew, Saved } from './saved.tsx'
import { Table } from './table.tsx'
import {
  type Field,
  fieldsOf,
  inputOf,
  labels,
  languageName,
  placeOf,
  Texts,
  type TextsOfProduct,
  type Typed,
  typedOf,
} from './text-values.ts'

const UpdateProduct = graphql(
  `
  mutation UpdateProduct($input: UpdateProductInput!) {
    updateProduct(input: $input) {
      product { ...Texts }
      userErrors { code message path }
    }
  }
`,
  [Texts],
)

type Failure = ResultOf<typeof UpdateProduct>['updateProduct']['userErrors'][number]

/** What a field was filled in with, and how its input shows it: line ends may differ. */
interface Filled {
  readonly stored: string
  readonly shown: string
}

interface TextsFormProps {
  /** What its typed texts are kept by. */
  readonly name: string
  readonly language: string | null
  /** The product as the forms know it: what they store is written over no other state. */
  readonly product: TextsOfProduct
  readonly onProduct: (product: TextsOfProduct) => void
  readonly onSaved: () => void
}

/** The form. What somebody else has changed meanwhile is shown, and nothing is overwritten unseen. */
export function TextsForm({ name, language, product, onProduct, onSaved }: TextsFormProps): JSX.Element {
  const [former, setFormer] = useState<Typed | null>(null)
  const [theirs, setTheirs] = useState<TextsOfProduct | null>(null)
  const [failures, setFailures] = useState<readonly Failure[]>([])
  const [isSame, setSame] = useState(false)
  const [{ error, fetching }, update] = useMutation(UpdateProduct)
  const form = useRef<HTMLFormElement>(null) as RefObject<HTMLFormElement>
  const fields = fieldsOf(language)
  const filled = useRef(new Map<Field, Filled>())

  const inputOfField = (field: Field) =>
    form.current?.elements.namedItem(field) as HTMLInputElement | HTMLTextAreaElement
  /** Whether nobody has typed into a field since it was filled in. */
  const isUntouched = (field: Field): boolean => inputOfField(field).value === filled.current.get(field)?.shown
  const fill = (texts: Typed, which: readonly Field[] = fields): void => {
    for (const field of which) {
      const input = inputOfField(field)
      const stored = texts[field] ?? ''
      input.value = stored
      filled.current.set(field, { stored, shown: input.value })
    }
  }
  // Another form, or somebody else, may have changed what this one shows.
  useLayoutEffect(() => {
    const isFirst = filled.current.size === 0
    fill(typedOf(product, language), isFirst ? fields : fields.filter(isUntouched))
    // Typed texts go with what they were typed over.
    if (!isFirst && !fields.every(isUntouched)) keep()
  }, [product])
  const keep = useKeptForm(name, form, product)
  const save = async (texts: Typed, isUndo = false): Promise<void> => {
    const change = inputOf(product, language, texts)
    setSame(change === null)
    if (change === null) return dropKept(name)
    const before = typedOf(product, language)
    const { data } = await update({ input: { id: product.id, ifUpdatedAt: product.updatedAt, ...change } })
    const done = data?.updateProduct
    setFailures((done?.userErrors ?? []).map((failure) => withinForm(failure, language, product)))
    if (!done) return
    if (done.userErrors.length > 0) return setTheirs(done.product)
    setTheirs(null)
    if (!done.product) return
    dropKept(name)
    onProduct(done.product)
    setFormer(isUndo ? null : before)
    fill(typedOf(done.product, language))
    onSaved()
  }
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const typed = (field: Field): string =>
      isUntouched(field) ? (filled.current.get(field)?.stored ?? '') : inputOfField(field).value.trim()
    void save(Object.fromEntries(fields.map((field) => [field, typed(field)])))
  }
  /** Goes on from what is stored now; the form keeps what is typed, unless theirs is taken. */
  const settle = (isTaken: boolean): void => {
    if (!theirs) return
    onProduct(theirs)
    setTheirs(null)
    setFormer(null)
    setFailures([])
    if (!isTaken) return
    dropKept(name)
    fill(typedOf(theirs, language))
  }
  return (
    <>
      <form ref={form} onSubmit={submit} onInput={keep}>
        {fields.map((field) => {
          const input = { id: `text-${language ?? ''}-${field}`, name: field }
          return (
            <div key={field}>
              <label class="field" for={input.id}>
                {labels[field]}
                {field === 'description' || field === 'seoDescription' ? (
                  <textarea rows={field === 'description' ? 4 : 2} {...input} />
                ) : (
                  <input {...input} {...required(field, language)} />
                )}
              </label>
              <FieldErrors of={failures} at={[field]} />
            </div>
          )
        })}
        <button type="submit" class="primary" disabled={fetching || theirs !== null}>
          Save the texts
        </button>
        <Outcome
          error={error}
          userErrors={theirs ? [] : failures.filter(({ path: [field = ''] }) => !fields.some((one) => one === field))}
        />
      </form>
      {theirs && <Conflict base={product} theirs={theirs} onSettle={settle} />}
      <div role="status">
        {isSame ? <NothingNew /> : former && <Saved busy={fetching} onUndo={() => void save(former, true)} />}
      </div>
    </>
  )
}

const required = (field: Field, language: string | null): object =>
  field === 'name' && language === null ? { required: true, ...saying('A product has a name.') } : {}

/** A failure with the path of its field in the form of a language. */
function withinForm(failure: Failure, language: string | null, product: TextsOfProduct): Failure {
  const [list, place, ...path] = failure.path
  const isHere = language !== null && list === 'locales' && place === String(placeOf(product, language))
  return isHere ? { ...failure, path } : failure
}

interface ConflictProps {
  readonly base: TextsOfProduct
  readonly theirs: TextsOfProduct
  readonly onSettle: (isTaken: boolean) => void
}

/** What somebody else has changed since the form was filled in, in any language. */
function Conflict({ base, theirs, onSettle }: ConflictProps): JSX.Element {
  const languages = new Set([null, ...[...base.locales, ...theirs.locales].map(({ language }) => language)])
  const changed = [...languages].flatMap((language) => {
    const [before, now] = [typedOf(base, language), typedOf(theirs, language)]
    return fieldsOf(language)
      .filter((field) => before[field] !== now[field])
      .map((field) => {
        const name = language === null ? labels[field] : `${labels[field]}, ${languageName(language)}`
        return { name, before: before[field], now: now[field] }
      })
  })
  return (
    <div class="question" role="alert">
      <p>Somebody else has changed this product since you opened it. Nothing of yours is saved yet.</p>
      {changed.length > 0 && (
        <Table titles={['Field', 'When you opened it', 'Now']}>
          {changed.map(({ name, before, now }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{before}</td>
              <td>{now}</td>
            </tr>
          ))}
        </Table>
      )}
      <button type="button" onClick={() => onSettle(false)}>
        Go on with what I typed
      </button>{' '}
      <button type="button" onClick={() => onSettle(true)}>
        Take what is there now
      </button>
    </div>
  )
}
