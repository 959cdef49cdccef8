/** The words of violations that name members: REST's as they are, the graph's in userErrors. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '../../../src/config/project-root.ts'
import { catalogRuleRecord } from '../../../src/domain/catalog/catalog-rule.ts'
import { DomainError, type Violation } from '../../../src/domain/input/errors.ts'
import type { InputReader } from '../../../src/domain/input/input-reader.ts'
import { readInput } from '../../../src/domain/input/read-input.ts'
import { readNew } from '../../../src/domain/input/record-reader.ts'
import { readLocales } from '../../../src/domain/language/locale.ts'
import { readSaleCampaign } from '../../../src/domain/pricing/campaign-input.ts'
import { currencyCountViolations } from '../../../src/domain/pricing/flat-price-map.ts'
import { planUpsert, readPriceRows } from '../../../src/domain/pricing/price-upsert.ts'
import { readProductPrice } from '../../../src/domain/pricing/product-price.ts'
import { readBounds } from '../../../src/domain/pricing/sale-input.ts'
import { checkSelection } from '../../../src/domain/pricing/selection.ts'
import { readExtensions } from '../../../src/domain/products/extension.ts'
import { toUserErrors } from '../../../src/graphql/schema/errors.ts'
import { graphInput } from '../../../src/graphql/schema/graph-input.ts'
import { translateFailure } from '../../../src/persistence/database/failures.ts'
import { failureOf } from '../../../src/rest/http/errors.ts'

const own = (name: string, value: unknown) => ({ ...JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`) })
const keys = (length: number) => Object.fromEntries(Array.from({ length }, (_, index) => [`k${index}`, index]))

const price = (attributes: object) =>
  readProductPrice({ type: 'product-price', attributes: { sku: 'S', currencies: {}, ...attributes } }, { create: true })
    .violations
const tiers = (given: object) => price({ currencies: { USD: { tiers: given } } })
const members = (input: object, read: (reader: InputReader) => unknown) => readInput(input, read).violations
const refusedBy = (constraint: string) => (translateFailure({ code: '23505', constraint }) as DomainError).violations
const schedule = { valid_from: '2026-01-02T00:00:00Z', valid_to: '2026-01-01T00:00:00Z' }

function takenInUpsert(): readonly Violation[] {
  const row = (sku: string) => ({
    data: { type: 'product-price', attributes: { sku, currencies: {}, external_ref: 'external_ref' } },
  })
  const book = { bookId: 'b', stored: new Map(), owners: new Map() }
  let id = 0
  const { rows } = planUpsert(readPriceRows([row('a'), row('b')]).value, book, 0, () => `${++id}`)
  return rows.flatMap(({ violations }) => violations)
}

/** Violations, the message of the last in REST, and that in the graph. */
const cases: [title: string, violations: readonly Violation[], rest: string, graph: string][] = [
  [
    'a map with too many entries',
    members({ map: keys(2) }, (reader) => reader.map('map', () => 0, { max: 1 })),
    'must have at most 1 keys',
    'must have at most 1 entries',
  ],
  [
    'a merged map with too many currencies',
    currencyCountViolations('currencies', keys(1000)),
    'must have at most 200 keys',
    'must have at most 200 entries',
  ],
  [
    'a key that can not be stored',
    members({ map: { '\u0000': 1 } }, (reader) => reader.map('map', () => 0)),
    'its key must not hold U+0000 or a lone surrogate',
    'must not hold U+0000 or a lone surrogate',
  ],
  [
    'a key that no map may have',
    tiers(own('__proto__', { minimum_quantity: 1 })),
    'its key must not be __proto__',
    'must not be __proto__',
  ],
  [
    'such a key within a JSON value',
    members({ extensions: { e: { field: own('__proto__', 1) } } }, readExtensions),
    'its key must not be __proto__',
    'must not be __proto__',
  ],
  [
    'a key that is too long',
    price({ sales: { ['x'.repeat(1025)]: {} } }),
    'its key must be 1 to 1024 characters',
    'must be 1 to 1024 characters',
  ],
  [
    'a key that can not be seen',
    price({ sales: { ' ': {} } }),
    'its key must have a visible character',
    'must have a visible character',
  ],
  [
    'a key that is no language tag',
    members({ locales: { 'no tag': {} } }, readLocales),
    'its key must be a BCP 47 language tag',
    'must be a BCP 47 language tag',
  ],
  [
    'the schedule of a sale',
    price({ sales: { s: { schedule } } }),
    'must be after valid_from',
    'must be after validFrom',
  ],
  [
    'the schedule of a catalog rule',
    readNew(catalogRuleRecord, {
      type: 'catalog_rule',
      attributes: { name: 'Rule', schedules: [schedule] },
    }).violations.filter(({ code }) => code === 'SALE_SCHEDULE_INVALID'),
    'must be after valid_from',
    'must be after validFrom',
  ],
  [
    'a tier without a minimum, of the name of a member',
    tiers({ minimum_quantity: {} }),
    'tier "minimum_quantity" needs a minimum_quantity of 1 or more',
    'tier "minimum_quantity" needs a minimumQuantity of 1 or more',
  ],
  [
    'two tiers with one minimum, with quotation marks in their names',
    tiers({ 'a"b': { minimum_quantity: 2 }, a_b: { minimum_quantity: 2 } }),
    'tier "a_b" has the same minimum_quantity as tier "a"b"',
    'tier "a_b" has the same minimumQuantity as tier "a"b"',
  ],
  [
    'a campaign with two changes',
    readSaleCampaign({ skus: ['S'], name: 'Sale', change: { percent_off: 5, amount_off: { USD: 1 } } }).violations,
    'must have exactly one of percent_off, amount_off and prices',
    'must have exactly one of percentOff, amountOff and prices',
  ],
  [
    'whole days of a sale beside an instant',
    members(graphInput({ schedule: { validFrom: 0, validOn: { from: '2026-01-01' } } }), readBounds),
    'must not be given beside valid_on',
    'must not be given beside validOn',
  ],
  [
    'an external_ref that another price book has',
    refusedBy('price_book_external_ref_key'),
    'A price book with the external_ref already exists',
    'A price book with the externalRef already exists',
  ],
  [
    'an external_ref that another price has',
    refusedBy('product_price_price_book_id_external_ref_key'),
    'A price with the external_ref already exists in the price book',
    'A price with the externalRef already exists in the price book',
  ],
  [
    'an external_ref that an earlier row has',
    takenInUpsert(),
    'A price with the external_ref already exists in the price book',
    'A price with the externalRef already exists in the price book',
  ],
]

describe('a violation that names members', () => {
  test.each(cases)('names them in REST and in the graph by the names of each: %s', (_, violations, rest, graph) => {
    const last = violations.slice(-1)
    expect(last).toHaveLength(1)
    const response = failureOf(new DomainError('conflict', last))
    expect([response?.body, toUserErrors(last)[0]?.message]).toMatchObject([{ errors: [{ detail: rest }] }, graph])
  })

  test('says in the graph of how many it is the last, and which record it is about', () => {
    const many = Array.from({ length: 101 }, () => refusedBy('price_book_external_ref_key')).flat()
    const { violations } = new DomainError('conflict', many)
    expect(toUserErrors(violations.slice(-1).map((one) => ({ ...one, subject: 'external_ref' })))[0]?.message).toBe(
      'A price book with the externalRef already exists (and 1 more): external_ref',
    )
  })

  test('has no names that a client could see in the violations of an error', () => {
    expect(JSON.stringify(failureOf(new DomainError('validation', tiers({ a: {} }))))).not.toContain('names')
  })

  test("keeps a component's name as the client wrote it, though it looks like that of a member", () => {
    const components = { main_part: { name: 'Main', min: 1, max: 1, options: [{ id: 'a' }] } }
    expect(toUserErrors(checkSelection(components, []).issues)[0]?.message).toBe(
      'must have at least 1 option of the component main_part',
    )
  })

  const sources = ['domain', 'operations', 'persistence/database/failures.ts'].flatMap((place) => {
    const path = join(projectRoot, 'src', place)
    return place.endsWith('.ts')
      ? [path]
      : readdirSync(path, { recursive: true, encoding: 'utf8' }).map((file) => join(path, file))
  })
  const texts = sources
    .filter((file) => file.endsWith('.ts'))
    .map((file) => [file, readFileSync(file, 'utf8')] as const)

  test('is in the table above, with each name that src marks in a sentence', () => {
    const marked = texts.flatMap(([, text]) => [...text.matchAll(/\bnamed\('([^']+)'\)/g)].map(([, name]) => name))
    const tried = cases.flatMap(([, violations]) => violations.slice(-1).flatMap(({ names = [] }) => names))
    expect(new Set(marked)).toEqual(new Set(tried.map(({ name }) => name)))
  })

  test('marks all of them: no other sentence in src has a name of several words', () => {
    const unmarked = texts.flatMap(([file, text]) => {
      const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').replaceAll(/\$\{[^{}]*\}/g, '')
      return [...code.matchAll(/'[^'\n]*'|`[^`]*`/g)]
        .filter(([literal]) => / /.test(literal) && /\b[a-z]+(_[a-z]+)+\b/.test(literal) && !literal.includes('SELECT'))
        .map(([literal]) => `${file.slice(projectRoot.length)}: ${literal}`)
    })
    expect(unmarked).toEqual([])
  })
})
