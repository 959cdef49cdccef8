/** Example operations for GraphiQL's tabs, in short lines that fit its editor. */

export const storefront = `# A page of the shop, as a shopper sees it.
# Press play (Ctrl-Enter); Ctrl-Space completes,
# and hovering over a field says what it is.
query Storefront($hierarchy: ID!, $first: Int) {
  storefront {
    name
    release(id: "latest") {
      hierarchy(id: $hierarchy) {
        name
        products(first: $first) {
          totalCount
          nodes {
            name
            sku
            price {
              amount { formatted }
              includesTax
              list { amount { amount } }
              sale { name }
            }
            breadCrumbs {
              ancestors { name }
              node { name }
            }
          }
          pageInfo { hasNextPage endCursor }
        }
      }
    }
  }
}
`

export const whyThisPrice = `# One price, and why: book, list price, sale, tier,
# and when it changes next. The aliases repeat the
# field: for a quantity, in euros; and at a future
# instant, which only an admin may.
query WhyThisPrice(
  $sku: String!
  $quantity: Long!
  $day: DateTime!
) {
  storefront {
    release(id: "latest") {
      product(by: { sku: $sku }) {
        name
        now: price { ...reasons }
        more: price(
          currency: "EUR"
          quantity: $quantity
        ) {
          ...reasons
        }
        later: price(currency: "GBP", at: $day) {
          ...reasons
        }
      }
    }
  }
}

fragment reasons on CatalogPrice {
  amount { amount currency }
  includesTax
  priceBook { name }
  list { amount { amount } }
  sale { name validFrom validTo }
  tier
  tiers {
    name
    minimumQuantity
    price { amount }
  }
  modifiers { name type amount { amount } }
  changesAt
}
`

export const ownBundle = `# What a bundle costs: as it comes, and with
# a choice of your own.
query OwnBundle(
  $selection: [ComponentSelectionInput!]!
) {
  storefront {
    release(id: "latest") {
      product(by: { sku: "SET-POUR" }) {
        name
        asItComes: bundleConfiguration { ...choice }
        myOwn: bundleConfiguration(selection: $selection) {
          ...choice
        }
      }
    }
  }
}

fragment choice on BundleConfiguration {
  price { amount { amount currency } includesTax }
  selectedOptions {
    component
    options { quantity product { name } }
  }
}
`

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

export const subscriptionLife = `# A subscription begins. Another one of the same
# account is canceled and resumed, then paused and
# resumed; its states record each action.
mutation SubscriptionLife(
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
