/** Currency codes (value.currency-of-three-capitals) and the number of their decimals (money.formatted-by-locale). */

const code = /^[A-Z]{3}$/

/** Whether `text` is a currency code: three uppercase letters, in ISO 4217 or not. */
export function isCurrencyCode(text: string): boolean {
  return code.test(text)
}

/** Decimals of ISO 4217 where they are not 2; 0 also where it says "not applicable" (metals, funds, test codes). */
export const unusualDecimals: ReadonlyMap<string, number> = new Map(
  (
    [
      [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
      [0, 'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'],
      [3, 'BHD IQD JOD KWD LYD OMR TND'],
      [4, 'CLF UYW'],
    ] as const
  ).flatMap(([digits, codes]) => codes.split(' ').map((currency): [string, number] => [currency, digits])),
)

/** The number of digits after the decimal mark of `currency`, by ISO 4217; 2 for a code that is not in it. */
export function fractionDigits(currency: string): number {
  return unusualDecimals.get(currency) ?? 2
}
