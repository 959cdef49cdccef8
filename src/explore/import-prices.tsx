/** The prices that the check of an import found to change. */
import type { JSX } from 'preact'
import { Ask } from './ask.tsx'
import { graphql } from './graph.ts'
import { counted } from './parts.tsx'
import { Table } from './table.tsx'

const Prices = graphql(`
  query ImportPrices($id: ID!) {
    importJob(id: $id) {
      priceChangeCount
      priceChanges { book sku currency before { formatted } after { formatted } }
    }
  }
`)

/** Rows that are shown. */
const SHOWN = 100

export function PriceChanges({ id }: { readonly id: string }): JSX.Element {
  return (
    <Ask query={Prices} variables={{ id }}>
      {({ importJob }) => {
        const { priceChangeCount: count = 0, priceChanges = [] } = importJob ?? {}
        if (count === 0) return <p class="soft">No price would change now.</p>
        return (
          <>
            <p>
              {counted(count, 'price')} would change now
              {count > SHOWN && <span class="soft">, of which the first {SHOWN} are shown</span>}.
            </p>
            <Table class="prices" titles={['SKU', 'Price book', 'Before', 'After']}>
              {priceChanges.slice(0, SHOWN).map(({ sku, book, currency, before, after }) => (
                <tr key={`${book} ${sku} ${currency}`}>
                  <th scope="row">{sku}</th>
                  <td>{book}</td>
                  <td class="number">{before?.formatted ?? 'none'}</td>
                  <td class="number">{after?.formatted ?? 'none'}</td>
                </tr>
              ))}
            </Table>
          </>
        )
      }}
    </Ask>
  )
}
