/** Changes plan or products of a subscription, after the invoices that follow were shown. */
import { useMutation } from '@urql/preact'
import type { VariablesOf } from 'gql.tada'
import type { JSX, TargetedEvent } from 'preact'
import { useState } from 'preact/hooks'
import { Ask } from './ask.tsx'
import { ChangePreview, lostRights, Previewed } from './change-preview.tsx'
import { FieldErrors } from './field-errors.tsx'
import { graphql } from './graph.ts'
import { dropKept, KeptForm } from './kept-form.tsx'
import { Name, saying } from './parts.tsx'
import { Outcome } from './release-actions.tsx'
import { useRole } from './session.tsx'

const Offered = graphql(`
  query Offered($id: ID!) {
    node(id: $id) {
      ... on AccountSubscription {
        id
        updatedAt
        plan { planId name canPause canCancel }
        items { productId name quantity }
        scheduledChanges { type }
        offering {
          current {
            id
            plans(first: 100) { nodes { id name canPause canCancel } }
            products(first: 100) { nodes { id name } }
          }
        }
      }
    }
  }
`)

const ChangeSubscription = graphql(
  `
  mutation ChangeSubscription($input: ChangeSubscriptionInput!) {
    changeSubscription(input: $input) {
      subscription { id updatedAt }
      preview { ...Previewed }
      userErrors { message path }
    }
  }
`,
  [Previewed],
)

type Input = VariablesOf<typeof ChangeSubscription>['input']

/** The members of the input whose errors stand beside their fields. */
const shownMembers = ['planId', 'items', 'at', 'proration']

/** What the form of a subscription is kept by. */
export const changeName = (id: string): string => `change ${id}`

interface ChangeProps {
  readonly id: string
  readonly onDone: () => void
}

/** The form, its preview, and the change. */
export function SubscriptionChange({ id, onDone }: ChangeProps): JSX.Element {
  const isAdmin = useRole() === 'admin'
  const [trial, tryOut] = useMutation(ChangeSubscription)
  const [writing, write] = useMutation(ChangeSubscription)
  const [input, setInput] = useState<Input | null>(null)
  // The input that was to be written last: what became of it is shown with no other.
  const [asked, setAsked] = useState<Input | null>(null)
  const [planned, setPlanned] = useState<string>()
  const tried = input ? trial.data?.changeSubscription : undefined
  const preview = tried?.preview
  const errors = tried?.userErrors ?? []
  const change = (): void => {
    if (!input || !preview) return
    setAsked(input)
    // What was previewed is charged, although some time has passed since.
    const isNow = input.at && 'moment' in input.at && input.at.moment === 'NOW'
    const prorateAt = isNow ? preview.at : null
    void write({ input: { ...input, prorateAt } }).then(({ data }) => {
      if (data?.changeSubscription.userErrors.length !== 0) return
      dropKept(changeName(id))
      onDone()
    })
  }
  return (
    <div class="question">
      <Ask query={Offered} variables={{ id }}>
        {({ node }) => {
          if (!node || !('offering' in node)) return <p class="empty">There is no such subscription.</p>
          const { updatedAt, plan, items, offering, scheduledChanges } = node
          const plans = new Map([
            [plan.planId, plan.name] as const,
            ...(offering.current?.plans.nodes ?? []).map((one) => [one.id, one.name] as const),
          ])
          const next = offering.current?.plans.nodes.find((one) => one.id === planned && one.id !== plan.planId)
          const lost = next ? lostRights(plan, next) : ''
          const products = new Map([
            ...items.map(({ productId, name }) => [productId, name] as const),
            ...(offering.current?.products.nodes ?? []).map((product) => [product.id, product.name] as const),
          ])
          const submit = (event: TargetedEvent<HTMLFormElement>): void => {
            event.preventDefault()
            const form = new FormData(event.currentTarget)
            const quantities = [...products.keys()].map((productId) => ({
              productId,
              quantity: Number(form.get(`quantity ${productId}`)),
            }))
            const chosen = quantities.filter(({ quantity }) => quantity > 0)
            const same =
              chosen.length === items.length &&
              items.every((item) =>
                chosen.some((one) => one.productId === item.productId && one.quantity === item.quantity),
              )
            const planId = String(form.get('plan'))
            const wanted: Input = {
              id,
              ifUpdatedAt: updatedAt,
              planId: planId === plan.planId ? null : planId,
              items: same ? null : chosen,
              at: { moment: form.get('at') === 'PERIOD_END' ? 'PERIOD_END' : 'NOW' },
              proration: form.has('proration') ? (form.get('proration') === 'NONE' ? 'NONE' : 'BY_TIME') : null,
              replace: form.get('replace') === 'on',
            }
            setInput(wanted)
            void tryOut({ input: { ...wanted, dryRun: true } })
          }
          return (
            <>
              <KeptForm name={changeName(id)} class="changing" onSubmit={submit} onInput={() => setInput(null)}>
                <label class="field">
                  Plan
                  <select name="plan" onChange={({ currentTarget }) => setPlanned(currentTarget.value)}>
                    {[...plans].map(([planId, name]) => (
                      <option key={planId} value={planId} selected={planId === plan.planId}>
                        {name}
                      </option>
                    ))}
                  </select>
                </label>
                <FieldErrors of={errors} at={['planId']} />
                {[...products].map(([productId, name]) => (
                  <label key={productId} class="field">
                    <span>
                      How many of <Name of={{ name: name ?? 'a product without a name', language: null }} />
                    </span>
                    <input
                      type="number"
                      min={0}
                      max={1_000_000}
                      step={1}
                      required
                      name={`quantity ${productId}`}
                      defaultValue={String(items.find((item) => item.productId === productId)?.quantity ?? 0)}
                      {...saying('A quantity is a whole number from 0, none, to 1,000,000.')}
                    />
                  </label>
                ))}
                <FieldErrors of={errors} at={['items']} />
                <label class="field">
                  From
                  <select name="at">
                    <option value="NOW">now on</option>
                    <option value="PERIOD_END">the next period on</option>
                  </select>
                </label>
                {isAdmin && (
                  <label class="field">
                    What is left of the paid period
                    <select name="proration">
                      <option value="BY_TIME">is credited, and what is new charged from then on</option>
                      <option value="NONE">stays paid as it is</option>
                    </select>
                  </label>
                )}
                {scheduledChanges.some(({ type }) => type === 'CHANGE') && (
                  <label class="field">
                    <input type="checkbox" name="replace" /> in place of the change that is scheduled
                  </label>
                )}
                <FieldErrors of={errors} at={['at', 'proration']} />
                <button type="submit" class="primary" disabled={trial.fetching}>
                  Preview the invoices
                </button>
              </KeptForm>
              {lost && (
                <p class="early" role="status">
                  Under this plan it can no longer be {lost}.
                </p>
              )}
            </>
          )
        }}
      </Ask>
      <Outcome
        error={input ? trial.error : undefined}
        userErrors={errors.filter(({ path: [member = ''] }) => !shownMembers.includes(member))}
      />
      {preview && (
        <ChangePreview key={preview.at} of={preview} isWriting={writing.fetching} change={change}>
          {asked === input && (
            <Outcome error={writing.error} userErrors={writing.data?.changeSubscription.userErrors} />
          )}
        </ChangePreview>
      )}
    </div>
  )
}
