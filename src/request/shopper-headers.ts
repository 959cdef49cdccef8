import type { IncomingHttpHeaders } from 'node:http'
import type { Violation } from '../domain/input/errors.ts'
import { currencyCode } from '../domain/input/formats.ts'
import type { ShopperHeaders } from './context.ts'

/**
 * Reads the headers that describe the shopper: accept-language, X-MOLTIN-CURRENCY, EP-Channel, EP-Context-Tag. A
 * malformed currency is a violation and never ignored (price.malformed-currency-refused).
 */
export function readShopperHeaders(headers: IncomingHttpHeaders): { value: ShopperHeaders; violations: Violation[] } {
  const text = (name: string): string | null => {
    const value = headers[name]
    return typeof value === 'string' ? value : null
  }
  const currency = text('x-moltin-currency')
  const tag = text('ep-context-tag')
  const wrong = currency === null ? undefined : currencyCode(currency)
  return {
    value: {
      acceptLanguage: text('accept-language'),
      currency: wrong === undefined ? currency : null,
      channel: text('ep-channel') || null,
      tags: tag ? [tag] : [],
    },
    violations: wrong === undefined ? [] : [{ code: 'INVALID_FORMAT', path: ['X-MOLTIN-CURRENCY'], message: wrong }],
  }
}
