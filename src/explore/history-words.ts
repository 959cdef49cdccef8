/** The words of members and values of records in the history. */
import { plain } from './parts.tsx'

const words: Readonly<Record<string, string>> = {
  accountIds: 'accounts',
  activations: 'schedule',
  agreement: 'what is agreed',
  askedAt: 'asked for',
  at: 'from',
  atPeriodEnd: 'at the end of the period',
  bundleIds: 'in bundles',
  byShopper: 'by a shopper',
  carriedInto: 'replaced by another release',
  currencies: 'prices',
  fixedPrice: 'fixed prices',
  hierarchyIds: 'hierarchies',
  invoicesFrom: 'invoices from',
  isLatest: 'is the latest',
  items: 'products',
  locales: 'texts',
  onlyOne: 'the only one of its account',
  optionIds: 'options',
  planIds: 'plans',
  productIds: 'products',
  prorateAt: 'parts counted from',
  proration: 'what is left of the paid period',
  sequence: 'number',
  undoneAt: 'taken back',
  validFrom: 'from',
  validTo: 'until',
}

/** A member as people call it: `planId` is the plan, `curatedProductIds` curated products. */
export const fieldWords = (field: string): string =>
  words[field] ?? plain(field.replace(/_?[Ii]d$/, '').replace(/_?[Ii]ds$/, 's')).trim()

const valueWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  proration: { by_time: 'credited', none: 'stays paid' },
  type: { trial: 'another end of the trial' },
}
/** Members whose values are words of the graph, in place of texts. */
const worded =
  /^(action|billingIntervalType|commodityType|default|endBehavior|field|modifierType|proration|reason|status|topics|type|unit)$/

/** A value as people write it. */
export const plainWord = (member: string, value: string): string =>
  valueWords[member]?.[value] ?? (worded.test(member) && /^[A-Za-z_]+$/.test(value) ? plain(value) : value)
