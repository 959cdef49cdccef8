/** The texts of a product as they are authored, to be changed. */
import { useMutation } from '@urql/preact'
import type { FragmentOf, ResultOf } from 'gql.tada'
import type { JSX, TargetedEvent } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { FieldErrors } from './field-errors.tsx'
import { graphql } from './graph.ts'
import { saying } from './parts.tsx'
import { Outcome } from './release-actions.tsx'
import { NOTHING_NEW, Saved } from './saved.tsx'

/** What the form changes. */
export const Texts = graphql(`
  fragment Texts on Product {
    id
    name
    description
    tags
    seoTitle
    seoDescription
    updatedAt
  }
`)

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

type Product = FragmentOf<typeof Texts>
type Values = Pick<Product, (typeof fields)[number]>
type Failure = ResultOf<typeof UpdateProduct>['updateProduct']['userErrors'][number]

const fields = ['name', 'description', 'tags', 'seoTitle', 'seoDescription'] as const
const labels = {
  name: 'Name',
  description: 'Description',
  tags: 'Tags',
  seoTitle: 'Title for search engines',
  seoDescription: 'Text for search engines',
} as const satisfies Record<(typeof fields)[number], string>

/** A value as the form has it. */
const typed = (value: Values[keyof Values]): string => (Array.isArray(value) ? value.join(', ') : (value ?? ''))

interface EditTextsProps {
  readonly product: Product
  readonly onSaved: () => void
}

/** The form. What somebody else has changed meanwhile is shown, and nothing is overwritten unseen. */
export function EditTexts({ product, onSaved }: EditTextsProps): JSX.Element {
  // The product as it was when the form was filled in.
  const [base, setBase] = useState(product)
  const [former, setFormer] = useState<Values | null>(null)
  const [theirs, setTheirs] = useState<Product | null>(null)
  const [failures, setFailures] = useState<readonly Failure[]>([])
  const [isSame, setSame] = useState(false)
  const [{ error, fetching }, update] = useMutation(UpdateProduct)
  const form = useRef<HTMLFormElement>(null)

  /** Fills the form in with these values. */
  const fill = (values: Values): void => {
    for (const field of fields) {
      const input = form.current?.elements.namedItem(field) as HTMLInputElement | HTMLTextAreaElement
      input.value = typed(values[field])
    }
  }
  const save = async (values: Partial<Values>, before: Values, isUndo = false): Promise<void> => {
    const { data } = await update({ input: { id: base.id, ifUpdatedAt: base.updatedAt, ...values } })
    const done = data?.updateProduct
    setFailures(done?.userErrors ?? [])
    if (!done) return
    if (done.userErrors.length > 0) return setTheirs(done.product)
    setTheirs(null)
    if (!done.product) return
    setBase(done.product)
    const { name, description, tags, seoTitle, seoDescription } = before
    setFormer(isUndo ? null : { name, description, tags, seoTitle, seoDescription })
    fill(done.product)
    onSaved()
  }
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const values = valuesOf(new FormData(event.currentTarget))
    const changed = fields.filter((field) => typed(values[field]) !== typed(base[field]))
    setSame(changed.length === 0)
    if (changed.length > 0) void save(Object.fromEntries(changed.map((field) => [field, values[field]])), base)
  }
  /** Goes on from what is stored now; the form keeps what is typed, unless theirs is taken. */
  const settle = (isTaken: boolean): void => {
    if (!theirs) return
    setBase(theirs)
    setTheirs(null)
    setFailures([])
    if (isTaken) fill(theirs)
  }
  return (
    <div class="edit">
      <h3>Texts</h3>
      <form ref={form} onSubmit={submit}>
        <label class="field">
          {labels.name}
          <input name="name" required defaultValue={product.name} {...saying('A product has a name.')} />
        </label>
        <FieldErrors of={failures} at={['name']} />
        <label class="field">
          {labels.description}
          <textarea name="description" rows={4} defaultValue={typed(product.description)} />
        </label>
        <FieldErrors of={failures} at={['description']} />
        <label class="field">
          {labels.tags}
          <input name="tags" defaultValue={typed(product.tags)} />
        </label>
        <FieldErrors of={failures} at={['tags']} />
        {(['seoTitle', 'seoDescription'] as const).map((field) => (
          <div key={field}>
            <label class="field">
              {labels[field]}
              <input name={field} defaultValue={typed(product[field])} />
            </label>
            <FieldErrors of={failures} at={[field]} />
          </div>
        ))}
        <button type="submit" class="primary" disabled={fetching || theirs !== null}>
          Save the texts
        </button>
        <Outcome
          error={error}
          userErrors={theirs ? [] : failures.filter(({ path: [field = ''] }) => !fields.some((one) => one === field))}
        />
      </form>
      {theirs && <Conflict base={base} theirs={theirs} onSettle={settle} />}
      {isSame && <p role="status">{NOTHING_NEW}</p>}
      {former && !isSame && <Saved busy={fetching} onUndo={() => void save(former, base, true)} />}
    </div>
  )
}

function valuesOf(form: FormData): Values {
  const text = (field: string): string => String(form.get(field) ?? '').trim()
  const tags = text('tags').split(',')
  return {
    name: text('name'),
    description: text('description') || null,
    seoTitle: text('seoTitle') || null,
    seoDescription: text('seoDescription') || null,
    tags: tags.map((tag) => tag.trim()).filter(Boolean),
  }
}

interface ConflictProps {
  readonly base: Values
  readonly theirs: Values
  readonly onSettle: (isTaken: boolean) => void
}

/** What somebody else has changed since the form was filled in. */
function Conflict({ base, theirs, onSettle }: ConflictProps): JSX.Element {
  const changed = fields.filter((field) => typed(theirs[field]) !== typed(base[field]))
  return (
    <div class="question" role="alert">
      <p>Somebody else has changed this product since you opened it. Nothing of yours is saved yet.</p>
      {changed.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">When you opened it</th>
              <th scope="col">Now</th>
            </tr>
          </thead>
          <tbody>
            {changed.map((field) => (
              <tr key={field}>
                <th scope="row">{labels[field]}</th>
                <td>{typed(base[field])}</td>
                <td>{typed(theirs[field])}</td>
              </tr>
            ))}
          </tbody>
        </table>
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
