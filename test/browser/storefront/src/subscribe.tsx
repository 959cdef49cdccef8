import { useState } from 'react'
import { useMutation, useQuery } from 'urql'
import { graphql } from './gql'
import { Pending } from './parts'

const SignUp = graphql(`
  query SignUp($id: ID!) {
    viewer { accountId }
    subscriptionProduct(id: $id) {
      offerings(first: 1) { nodes { id name products { nodes { name } } plans { nodes { id name description } } } }
    }
  }
`)

const CreateSubscription = graphql(`
  mutation CreateSubscription($input: CreateSubscriptionInput!) {
    createSubscription(input: $input) {
      subscription { id status invoiceAfter nextAmount { formatted } }
      userErrors { path message }
    }
  }
`)

export function Subscribe({ id }: { id: string }) {
  const [{ data, error }] = useQuery({ query: SignUp, variables: { id } })
  const [{ data: answer, error: failure, fetching }, create] = useMutation(CreateSubscription)
  const [idempotencyKey, setKey] = useState(() => crypto.randomUUID())
  const offering = data?.subscriptionProduct?.offerings.nodes[0]
  if (error || !data) return <Pending error={error} />
  if (!offering) return <p role="alert">Nobody offers it.</p>
  if (!data.viewer.accountId)
    return <a href={`?account=c0ffee00-00aa-4000-8000-000000000001${location.hash}`}>Log in</a>
  const { subscription, userErrors = [] } = answer?.createSubscription ?? {}
  if (subscription) {
    const day = new Date(subscription.invoiceAfter).toLocaleDateString('en')
    return (
      <p role="status">
        Thank you. The first invoice comes on {day}: {subscription.nextAmount?.formatted}.
      </p>
    )
  }
  const submit = (form: FormData) => {
    const [planId, name, email] = ['planId', 'name', 'email'].map((field) => String(form.get(field)))
    create({ input: { offeringId: offering.id, planId, name, email, currency: 'EUR', idempotencyKey } })
  }
  return (
    <form
      onChange={() => setKey(crypto.randomUUID())}
      onSubmit={(event) => {
        event.preventDefault()
        submit(new FormData(event.currentTarget))
      }}
    >
      <h1>{offering.name}</h1>
      <p>{offering.products.nodes.map((product) => product.name).join(', ')}</p>
      {offering.plans.nodes.map((plan) => (
        <label key={plan.id}>
          <input type="radio" name="planId" value={plan.id} required /> {plan.name}: {plan.description}
        </label>
      ))}
      {['name', 'email'].map((field) => (
        <label key={field}>
          {field} <input name={field} /> {userErrors.find(({ path }) => path[0] === field)?.message}
        </label>
      ))}
      <button type="submit" disabled={fetching}>
        Subscribe
      </button>
      {failure && <p role="alert">{failure.message} Press again: it happens only once.</p>}
    </form>
  )
}
