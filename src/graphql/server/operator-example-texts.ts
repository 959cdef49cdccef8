/** Example operations of operators: campaigns, publishing, billing, history. None of them writes anything. */

export const campaign = `# One sale on many prices: each price before and
# after. Put false in place of true, and it is written;
# shoppers see it once it is published.
mutation Campaign($input: AddSalesInput!) {
  addSales(input: $input) {
    campaign {
      changedCount
      refusedCount
      rows {
        sku
        prices {
          before { amount { formatted } }
          after { amount { formatted } }
        }
        warnings { code currency }
        userErrors { message }
      }
    }
    userErrors { code path message }
  }
}
`

export const publish = `# What a publish would do now, with its warnings and
# what it would change in scheduled releases. Without
# dryRun it is done; with "at" at that instant.
mutation Publish($catalogId: ID!) {
  publishRelease(
    input: { catalogId: $catalogId, dryRun: true }
  ) {
    release {
      productCount
      warningCount
      warnings { code count sku currency }
      carries { scheduledFor productCount conflictCount }
    }
    userErrors { code path message }
  }
}
`

export const changePlan = `# Another plan for a subscription: the next invoices
# as it is, and with the change. Without dryRun it is
# changed; "at" is now, the next period or an instant.
mutation ChangePlan($id: ID!, $planId: ID!) {
  changeSubscription(
    input: { id: $id, planId: $planId, dryRun: true }
  ) {
    preview {
      at
      before { upcomingInvoices(first: 2) { ...invoice } }
      after { upcomingInvoices(first: 2) { ...invoice } }
    }
    userErrors { code path message }
  }
}

fragment invoice on SubscriptionInvoice {
  dueAt
  amount { formatted }
  lines {
    reason
    item { name quantity }
    amount { formatted }
  }
}
`

export const due = `# What a billing system asks: the invoices that fall
# due in a window, page by page. A minute after its end
# a window never changes; the id is a key to charge by.
query Due($from: DateTime!, $to: DateTime!) {
  invoicesDue(from: $from, to: $to, first: 5) {
    invoices {
      id
      dueAt
      amount { formatted }
      subscription {
        subscriber { name }
        offering { name }
      }
    }
    endCursor
    hasNextPage
  }
}
`

export const history = `# Who wrote what: the latest writes of the store. Of
# one record, ask for its own field "history".
query History($first: Int!) {
  history(first: $first) {
    nodes {
      at
      subject
      operation
      recordType
      fields
      before
      after
    }
  }
}
`
