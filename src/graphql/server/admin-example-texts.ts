/** Example operations of administrators, in short lines that fit GraphiQL's editor. */

export const priceBook = `# A price book as administrators see it: amounts in
# cents, tiers, and past, current and future sales.
query PriceBook($id: ID!, $skus: [String!]!) {
  priceBook(id: $id) {
    name
    prices(first: 3, filter: { sku: { in: $skus } }) {
      nodes {
        sku
        prices {
          currency
          amount { amount }
          includesTax
          tiers {
            name
            minimumQuantity
            amount { amount }
          }
        }
        sales {
          name
          schedule { validFrom validTo }
          prices { currency amount { amount } }
        }
        adminAttributes { key value }
      }
    }
  }
}
`

export const changePrice = `# A mutation: only the given members change; prices
# merge by currency, and null removes one. Broken
# rules are returned as userErrors: try an amount
# below 0.
mutation ChangePrice(
  $input: UpdateSubscriptionProductInput!
) {
  updateSubscriptionProduct(input: $input) {
    subscriptionProduct {
      name
      prices { amount { formatted } includesTax }
      updatedAt
    }
    userErrors { code path message }
  }
}
`

export const draft = `# What a publish would show now, and what that
# changes: edit a product or a price and look again.
# publishRelease takes the draft's id as fromDraft.
query Draft($catalogId: ID!) {
  catalog(id: $catalogId) {
    draft {
      id
      warningCount
      summarySince(releaseId: "latest") {
        added removed changed
        priceChanges { currency up down }
        nodes { changed moved }
      }
      changesSince(releaseId: "latest", first: 5) {
        nodes {
          kind
          fields
          after { name }
          priceChanges {
            before { formatted }
            after { formatted }
          }
        }
      }
    }
  }
}
`

export const subscriptionLife = `# A subscription begins. Another one of the same
# account is canceled and resumed, then paused and
# resumed; its states record each action.
mutation Subscribe(
  $new: CreateSubscriptionInput!
  $id: ID!
) {
  begin: createSubscription(input: $new) {
    subscription {
      id
      status
      invoiceAfter
      offering { name }
      plan { name }
      account { subscriptions { totalCount } }
    }
    userErrors { code path message }
  }
  cancel: cancelSubscription(input: { id: $id }) {
    subscription { ...state }
    userErrors { code path message }
  }
  takeBack: resumeSubscription(input: { id: $id }) {
    subscription { ...state }
    userErrors { code path message }
  }
  pause: pauseSubscription(input: { id: $id }) {
    subscription { ...state }
    userErrors { code path message }
  }
  resume: resumeSubscription(input: { id: $id }) {
    subscription {
      ...state
      states(first: 4) { nodes { action createdAt } }
    }
    userErrors { code path message }
  }
}

fragment state on AccountSubscription {
  status
  canceled
  paused
}
`
