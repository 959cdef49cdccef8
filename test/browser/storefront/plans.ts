/** Plans under which a product can be subscribed to, with what it costs per interval. */
import { el } from './dom.ts'
import { ask, graphql } from './graph.ts'

const Plans = graphql(`
  query Plans($id: ID!) @inContext(currency: "EUR") {
    subscriptionProduct(id: $id) {
      name
      description
      offerings(first: 3) {
        nodes {
          plans(first: 5) {
            nodes {
              name
              description
              billingIntervalType
              billingFrequency
              price(subscriptionProductId: $id) {
                formatted
              }
            }
          }
        }
      }
    }
  }
`)

/** The sections of subscription products; plans that have no price for one are left out. */
export async function plansOf(ids: readonly string[]): Promise<HTMLElement[]> {
  const answers = await Promise.all(ids.map((id) => ask(Plans, { id })))
  return answers.flatMap(({ subscriptionProduct: product }) => {
    if (!product) return []
    const plans = product.offerings.nodes.flatMap((offering) => offering.plans.nodes)
    const rows = plans.flatMap(({ name, description, billingFrequency, billingIntervalType, price }) => {
      if (!price) return []
      const interval = billingIntervalType.toLowerCase()
      const period = billingFrequency === 1 ? `per ${interval}` : `every ${billingFrequency} ${interval}s`
      const paid = el('td', {}, el('span', { className: 'amount' }, price.formatted), ` ${period}`)
      return [el('tr', {}, el('td', {}, el('b', {}, name), el('br'), el('span', { className: 'soft' }, description ?? '')), paid)]
    })
    return [el('h2', {}, `Subscribe: ${product.name}`), el('p', { className: 'soft' }, product.description ?? ''), el('table', {}, ...rows)]
  })
}
