import { describe, expect, test } from 'vitest'
import { key, ownKey, type Path } from '../../../src/domain/input/errors.ts'
import { readInput } from '../../../src/domain/input/read-input.ts'
import { graphInput, type InputMembers, inputPath } from '../../../src/graphql/schema/graph-input.ts'

const members: InputMembers = {
  currencies: {
    name: 'prices',
    entry: { key: 'currency', value: 'price' },
    members: { tiers: { entry: { key: 'name' } } },
  },
  extensions: { entry: { key: 'template', value: 'fields' }, each: { entry: { key: 'key', value: 'value' } } },
  variations: { members: { id: { name: 'key' } } },
  parent: { name: 'parentId', read: (id) => id.toLowerCase() },
  bundle_ids: { read: (id) => id.toLowerCase() },
}

describe('graphInput: readers ask by the names of REST', () => {
  test('a graph input reads members in camelCase without envelope; absent, null and a value stay three things', () => {
    const { value, violations } = readInput(graphInput({ externalRef: null, name: 'Cup' }, members), (reader) => {
      const attributes = reader.object('attributes', { required: true })
      return ['external_ref', 'name', 'description'].map((name) => attributes?.text(name, { nullable: true }))
    })
    expect({ value, violations }).toEqual({ value: [null, 'Cup', undefined], violations: [] })
  })

  test('a graph input reads relationships as members, and ids wherever they stand', () => {
    const { value } = readInput(graphInput({ parentId: 'ABC', bundleIds: ['D', 'e'] }, members), (reader) => [
      reader.object('relationships')?.object('parent')?.text('data'),
      reader.object('relationships')?.object('files'),
      reader.list('bundle_ids', (ids, index) => ids.text(index)),
    ])
    expect(value).toEqual(['abc', undefined, ['d', 'e']])
  })

  test('a graph input has the instants that the scalar has read', () => {
    const { value, violations } = readInput(graphInput({ validFrom: -1, validTo: null }), (reader) =>
      ['valid_from', 'valid_to', 'since'].map((name) => reader.instant(name, { nullable: true })),
    )
    expect({ value, violations }).toEqual({ value: [-1, null, undefined], violations: [] })
  })

  test('graph.maps-become-lists: a graph input reads a list of entries as a map, of values or of the entries themselves, at any depth', () => {
    const prices = [
      { currency: 'USD', price: { tiers: [{ name: 'constructor', minimumQuantity: 2 }] } },
      { currency: 'EUR', price: null },
    ]
    const extensions = [{ template: 't', fields: [{ key: 'k', value: [1] }, { key: 'absent' }] }]
    const { value, violations } = readInput(graphInput({ prices, extensions }, members), (reader) => ({
      prices: reader.map('currencies', (entries, code) =>
        entries
          .object(code, { nullable: true })
          ?.map('tiers', (tiers, name) => tiers.object(name)?.integer('minimum_quantity')),
      ),
      extensions: reader.map('extensions', (templates, name) =>
        templates.map(name, (fields, field) => fields.raw(field)),
      ),
    }))
    expect(violations).toEqual([])
    expect(value?.prices).toEqual(
      new Map([
        ['USD', new Map([['constructor', 2]])],
        ['EUR', undefined],
      ]),
    )
    expect(value?.extensions).toEqual(
      new Map([
        [
          't',
          new Map([
            ['k', [1]],
            ['absent', undefined],
          ]),
        ],
      ]),
    )
  })

  test('a key given twice in a graph input is a violation, in order among the others, and its last value counts', () => {
    const prices = [...'abcabac'].map((currency, price) => ({ currency, price }))
    const { violations } = readInput(graphInput({ prices }, members), (reader) =>
      reader.map('currencies', (entries, code) => entries.integer(code, { max: 4 })),
    )
    expect(violations.map(({ code, path }) => `${code} ${inputPath(path, { prices }, members).join('.')}`)).toEqual([
      'DUPLICATE prices.5.currency',
      'OUT_OF_RANGE prices.5.price',
      'DUPLICATE prices.4.currency',
      'DUPLICATE prices.6.currency',
      'OUT_OF_RANGE prices.6.price',
    ])
  })

  test('write.idempotency-key: an idempotency key compares a graph input as the client wrote it', () => {
    const input = { parentId: 'ABC', prices: [{ currency: 'USD' }] }
    expect(JSON.parse(JSON.stringify(graphInput(input, members)))).toEqual(input)
  })
})

describe('inputPath', () => {
  const input = {
    prices: [
      { currency: 'EUR', price: null },
      { currency: 'USD', price: { tiers: [{ name: 'a' }, { name: 'b' }] } },
    ],
    extensions: [{ template: 't', fields: [{ key: 'k', value: { deep: [{ er: 1 }] } }] }],
    variations: [{ options: [] }],
    bundleIds: ['x'],
  }
  const usd: Path = ['attributes', 'currencies', key('USD')]

  test.each<[string, Path, string[]]>([
    ['a member', ['attributes', 'bundle_ids', 0], ['bundleIds', '0']],
    ['an absent member', ['attributes', 'external_ref'], ['externalRef']],
    ['the value of an entry', usd, ['prices', '1', 'price']],
    ['the key of an entry', ['attributes', 'currencies', ownKey('EUR')], ['prices', '0', 'currency']],
    [
      'an entry within an entry',
      [...usd, 'tiers', key('b'), 'minimum_quantity'],
      ['prices', '1', 'price', 'tiers', '1', 'minimumQuantity'],
    ],
    [
      'what a value that is null would have',
      ['attributes', 'currencies', key('EUR'), 'amount'],
      ['prices', '0', 'price'],
    ],
    ['an entry that is stored, and not given', ['attributes', 'currencies', key('GBP'), 'amount'], ['prices']],
    ['a member of a member that is absent', ['attributes', 'build_rules', 'include', 3], ['buildRules']],
    ['another name', ['attributes', 'variations', 0, 'id'], ['variations', '0', 'key']],
    [
      'JSON',
      ['attributes', 'extensions', key('t'), key('k'), key('deep'), 0, key('er')],
      ['extensions', '0', 'fields', '0', 'value', 'deep', '0', 'er'],
    ],
    ['a relationship', ['relationships', 'parent', 'data'], ['parentId']],
    ['an argument', ['ifUpdatedAt'], ['ifUpdatedAt']],
    ['the whole', [], []],
  ])('inputPath leads to %s', (_, path, expected) => {
    expect(inputPath(path, input, members)).toEqual(expected)
  })
})
