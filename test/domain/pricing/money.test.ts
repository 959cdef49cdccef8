import { describe, expect, test } from 'vitest'
import { fractionDigits, isCurrencyCode } from '../../../src/domain/input/currency.ts'
import { addAmounts, formatAmount, maxAmount, multiplyAmount } from '../../../src/domain/pricing/money.ts'
import { compareCodePoints } from '../../../src/lib/code-point.ts'

describe('money.formatted-by-locale: formatted amounts', () => {
  const text = (...given: Parameters<typeof formatAmount>) => formatAmount(...given).replace(/\s/g, ' ')

  test.each([
    [123456, 'USD', 'en-US', '$1,234.56'],
    [123456, 'EUR', 'de-DE', '1.234,56 €'],
    [5, 'USD', 'en-US', '$0.05'],
    [0, 'USD', 'en-US', '$0.00'],
    [123456, 'JPY', 'en-US', '¥123,456'],
    [123456, 'KWD', 'en-US', 'KWD 123.456'],
    [123456, 'HUF', 'en-US', 'HUF 1,234.56'],
    [123456, 'IQD', 'en-US', 'IQD 123.456'],
    [123456, 'CLF', 'en-US', 'CLF 12.3456'],
    [123456, 'QQQ', 'en-US', 'QQQ 1,234.56'],
    [-1, 'USD', 'en-US', '-$0.01'],
    [-123456, 'JPY', 'en-US', '-¥123,456'],
  ])('the amount %d %s for the locale %s is written %s', (amount, currency, locale, expected) => {
    expect(text(amount, currency, locale)).toBe(expected)
  })

  test('formatted amounts keep every digit of the largest amount', () => {
    expect(text(maxAmount, 'USD', 'en-US')).toBe('$90,071,992,547,409.91')
    expect(text(maxAmount, 'KWD', 'en-US')).toBe('KWD 9,007,199,254,740.991')
    expect(text(maxAmount, 'JPY', 'en-US')).toBe('¥9,007,199,254,740,991')
  })

  test.each(['', '*', 'not a locale', 'en_US', 'x'.repeat(5000), undefined])(
    'amounts for the locale %j are formatted as for en-US',
    (locale) => {
      expect(text(123456, 'USD', locale)).toBe('$1,234.56')
    },
  )

  test('a locale of 255 characters is followed by formatted amounts, a longer one gives those of en-US', () => {
    const locale = (length: number) => `de-x${'-aaaaaaa'.repeat(40)}`.slice(0, length)
    expect(text(123456, 'USD', locale(255))).toBe(text(123456, 'USD', 'de'))
    expect(text(123456, 'USD', locale(256))).toBe('$1,234.56')
  })

  test('formatted amounts are right for more locales and currencies than there are cached formatters', () => {
    const codes = Array.from(
      { length: 26 * 26 },
      (_, index) => `Q${String.fromCharCode(65 + Math.floor(index / 26), 65 + (index % 26))}`,
    )
    for (const code of codes) expect(text(123456, code)).toBe(`${code} 1,234.56`)
    expect(text(123456, 'QAA')).toBe('QAA 1,234.56')
  })
})

test('money.exact-or-no-price: sums and products are exact up to 2^53-1 and null past it', () => {
  expect([addAmounts(maxAmount - 1, 1), addAmounts(maxAmount, 1), addAmounts(0, 0)]).toEqual([maxAmount, null, 0])
  expect([multiplyAmount(maxAmount, 1), multiplyAmount(2 ** 52, 2), multiplyAmount(0, maxAmount * 4)]).toEqual([
    maxAmount,
    null,
    0,
  ])
})

test('value.currency-of-three-capitals: a currency code is three uppercase letters', () => {
  expect(['USD', 'QQQ'].every(isCurrencyCode)).toBe(true)
  expect(['', 'US', 'USDX', 'usd', 'US1', 'ÜSD', 'USD\n'].some(isCurrencyCode)).toBe(false)
})

test('money.formatted-by-locale: amounts have the decimals of ISO 4217, not those of Intl', () => {
  expect(['USD', 'HUF', 'TWD', 'ISK', 'UGX', 'JOD', 'TND', 'UYW', 'XAU', 'ZZZ'].map(fractionDigits)).toEqual([
    2, 2, 2, 0, 0, 3, 3, 4, 0, 2,
  ])
})

test('sale.shortest-period-wins: names of sales are compared by code points, prefixes first and astral characters last', () => {
  const order = [
    '',
    'A',
    'a',
    'aa',
    'b',
    '\ud7ff',
    '\ue000',
    '\uff5e',
    '\u{10000}',
    '\u{10000}a',
    '\u{10001}',
    '\u{1f600}',
  ]
  expect(order.toReversed().sort(compareCodePoints)).toEqual(order)
  expect(compareCodePoints('a\u{1f600}', 'a\u{1f600}')).toBe(0)
})
