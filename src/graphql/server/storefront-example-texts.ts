/** Example operations of a shop's pages, in short lines that fit GraphiQL's editor. */

export const category = `# A category by its URL: products by filter, in the
# order of the price of this moment, and facets.
# Press play (Ctrl-Enter); Ctrl-Space completes,
# and hovering over a field says what it is.
query Category(
  $path: [String!]!
  $filter: CatalogProductFilter
  $orderBy: CatalogProductOrderInput
  $offset: Int
) {
  storefront {
    latestRelease {
      node(by: { path: $path }) {
        name
        products(
          first: 4
          offset: $offset
          filter: $filter
          orderBy: $orderBy
        ) {
          totalCount
          nodes {
            name
            price {
              amount { formatted }
              originalAmount { formatted }
              sale { name validTo }
            }
          }
          priceRange {
            min { formatted }
            max { formatted }
          }
          facets(
            keys: [{ tags: true }, { onSale: true }]
          ) {
            key
            values { value count selected }
          }
        }
      }
    }
  }
}
`

export const search = `# Words, beginnings of words and mistakes in
# spelling; a parent once instead of its children.
query Search($text: String!) {
  storefront {
    latestRelease {
      products(
        first: 5
        filter: { search: $text }
        groupVariants: true
      ) {
        totalCount
        nodes {
          name
          priceRange {
            min { formatted }
            max { formatted }
          }
          breadCrumbs { node { name } }
        }
      }
    }
  }
}
`

export const menu = `# The menu of the shop, in its order.
query Menu($depth: Int!) {
  storefront {
    latestRelease {
      menu(depth: $depth) {
        level
        parentIndex
        childCount
        node { name slug }
      }
    }
  }
}
`

export const price = `# One price, and why: every candidate, also those
# that lost. The aliases repeat the field: for a
# quantity, and in euros.
query Price($sku: String!, $quantity: Long!) {
  storefront {
    latestRelease {
      product(by: { sku: $sku }) {
        name
        one: price { ...reasons }
        more: price(quantity: $quantity) { ...reasons }
        euros: price(currency: "EUR") { ...reasons }
      }
    }
  }
}

fragment reasons on CatalogPrice {
  amount { amount currency }
  lowestPrior { amount }
  includesTax
  explanation {
    kind
    name
    outcome
    reason
    amount { amount }
  }
  tiers {
    minimumQuantity
    price { amount }
  }
  changesAt
}
`

export const timeline = `# The prices of a period, from sale to sale, and the
# lowest price before a sale. What is still to come
# is for administrators.
query Timeline(
  $sku: String!
  $from: DateTime!
  $to: DateTime!
  $sale: DateTime!
) {
  storefront {
    latestRelease {
      product(by: { sku: $sku }) {
        name
        priceTimeline(from: $from, to: $to) {
          from
          to
          price {
            amount { formatted }
            sale { name }
          }
        }
        inTheSale: price(at: $sale) {
          amount { formatted }
          lowestPrior(days: 30) { formatted }
        }
      }
    }
  }
}
`

export const bundle = `# What a bundle costs as it comes, by a choice of
# your own, and what an unfinished choice lacks.
query Bundle(
  $selection: [ComponentSelectionInput!]!
) {
  storefront {
    latestRelease {
      product(by: { sku: "SET-POUR" }) {
        name
        asItComes: bundleConfiguration { ...choice }
        myOwn: bundleConfiguration(selection: $selection) {
          ...choice
        }
        unfinished: bundleConfiguration(selection: []) {
          ...choice
        }
      }
    }
  }
}

fragment choice on BundleConfiguration {
  valid
  issues { code path message }
  price { amount { amount currency } includesTax }
  selectedOptions {
    component
    options { quantity product { name } }
  }
}
`
