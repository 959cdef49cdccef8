/** Currency codes (value.currency-of-three-capitals) and how many digits of an amount are decimals (money.formatted-by-locale). */

const code = /^[A-Z]{3}$/

/**
 * Whether `text` is a currency code: three uppercase letters. Whether ISO 4217 lists it is not asked (value.currency-of-three-capitals).
 */
export function isCurrencyCode(text: string): boolean {
  return code.test(text)
}

/** ISO 4217's minor units where they are not 2; 0 also where it says "not applicable" (metals, funds, test codes). */
const exceptions: ReadonlyMap<string, number> = new Map(
  (
    [
      [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
      [0, 'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'],
      [3, 'BHD IQD JOD KWD LYD OMR TND'],
      [4, 'CLF UYW'],
    ] as const
  ).flatMap(([digits, codes]) => codes.split(' ').map((currency): [string, number] => [currency, digits])),
)

/** The digits after the decimal mark of `currency`, by ISO 4217; 2 for a code that it does not list. */
export function fractionDigits(currency: string): number {
  return exceptions.get(currency) ?? 2
}
