import type { IncomingHttpHeaders } from 'node:http'
import type { Violation } from '../domain/input/errors.ts'
import { currencyCode } from '../domain/input/formats.ts'
import type { ShopperHeaders } from './context.ts'

/**
 * What the headers say of the shopper's shopperHeaders (money.display-currency, catalog-rule.most-matches-win, language.best-accepted-tag). A
 * malformed currency is refused, never ignored (price.malformed-currency-refused).
 */
export function readShopperHeaders(headers: IncomingHttpHeaders): { value: ShopperHeaders; violations: Violation[] } {
  const text = (name: string): string | null => {
    const value = headers[name]
    return typeof value === 'string' ? value : null
  }
  const currency = text('x-moltin-currency')
  const wrong = currency === null ? undefined : currencyCode(currency)
  return {
    value: {
      acceptLanguage: text('accept-language'),
      currency: wrong === undefined ? currency : null,
      channel: text('ep-channel') || null,
      tag: text('ep-context-tag') || null,
    },
    violations: wrong === undefined ? [] : [{ code: 'INVALID_FORMAT', path: ['X-MOLTIN-CURRENCY'], message: wrong }],
  }
}
