/** Money: the one type of an amount in a currency (value.numbers-never-rounded), with what it takes to show it. */
import { fractionDigits } from '../../domain/input/currency.ts'
import { acceptedLanguages } from '../../domain/language/accept-language.ts'
import { formatAmount } from '../../domain/pricing/money.ts'
import { builder } from '../schema/builder.ts'

/** An amount in a currency's smallest unit. Its fields are properties, which compiled operations read inline. */
export class Money {
  constructor(
    readonly amount: number,
    readonly currency: string,
  ) {}

  get fractionDigits(): number {
    return fractionDigits(this.currency)
  }
}

/** Money of an amount that may be missing. */
export function toMoney(amount: number | null | undefined, currency: string): Money | null {
  return amount == null ? null : new Money(amount, currency)
}

export const MoneyRef = builder.objectRef<Money>('Money').implement({
  description: 'An amount in a currency.',
  right: 'anyone',
  fields: (t) => ({
    amount: t.expose('amount', {
      type: 'Long',
      description: "In the currency's smallest unit: 1305 is 13.05 dollars, or 1305 yen.",
    }),
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'The currency.' }),
    fractionDigits: t.exposeInt('fractionDigits', {
      description:
        'How many of the last digits of `amount` come after the decimal mark: 2 for EUR, 0 for JPY, 3 for KWD.',
    }),
    formatted: t.string({
      description: 'The text for people, such as `$13.05`.',
      args: {
        locale: t.arg.string({
          description: 'A language tag such as `de-CH`; by default the first language of the request, else `en-US`.',
        }),
      },
      resolve: ({ amount, currency }, { locale }, { shopperHeaders }) =>
        formatAmount(amount, currency, locale ?? acceptedLanguages(shopperHeaders.acceptLanguage).accepted[0]),
    }),
  }),
})
