/** Valid and invalid product inputs, field by field; each title has the id of its rule. */
import { astral } from '../../support/cases.ts'
import { idOf, optionsOf } from '../../support/products.ts'

const long = (count: number): string => 'x'.repeat(count)
const option = (more: object = {}) => ({ id: idOf(1), ...more })
const component = (more: object = {}) => ({ main: { name: 'Main', options: [option()], ...more } })
const options = (...marks: (boolean | undefined)[]) =>
  marks.map((mark, index) => ({ id: idOf(index + 1), default: mark ?? null }))
const input = (more: object = {}) => ({ front: { name: 'Engraving', ...more } })
const rule = (max_length: unknown) => input({ validation_rules: [{ options: { max_length } }] })
const variation = (more: object = {}) => [
  { id: idOf(90), name: 'Size', options: [{ id: idOf(91), name: 'S', ...more }] },
]

type Bad = readonly [title: string, attributes: object, broken: readonly string[]]
type Good = readonly [title: string, attributes: object]

export const good: readonly Good[] = [
  ['name of 1 character', { name: 'x' }],
  ['name of 1024 code points', { name: astral(1024) }],
  ['description of 65536 code points', { description: astral(65_536) }],
  ['sku of 1024 code points', { sku: astral(1024) }],
  ['sku with spaces in it (price-book.skus-compare-exactly)', { sku: 'S  T' }],
  ['slug of every allowed character (product.slug-from-name)', { slug: 'AZaz09-_.' }],
  ['slug of 1024 characters', { slug: long(1024) }],
  ['external_ref of 2048 code points', { external_ref: astral(2048) }],
  ['upc_ean of 1024 characters', { upc_ean: long(1024) }],
  ['manufacturer_part_num empty', { manufacturer_part_num: '' }],
  ['tag of 255 code points (product.tags-in-lower-case)', { tags: [astral(255)] }],
  ['max_length 255 (product.custom-input-length)', { custom_inputs: rule(255) }],
  ['max_length 1', { custom_inputs: rule(1) }],
  ['custom input without rules', { custom_inputs: input({ validation_rules: null, required: null }) }],
  [
    'sort orders at both ends',
    { components: component({ sort_order: 2 ** 31 - 1 }), variations: variation({ sort_order: -(2 ** 31) }) },
  ],
  ['min 0, max 0', { components: component({ min: 0, max: 0 }) }],
  [
    'as many defaults as max (bundle.default-selection-fits)',
    { components: component({ min: 1, max: 2, options: options(true, true, undefined) }) },
  ],
  [
    'no default although min is 2 (bundle.default-selection-fits)',
    { components: component({ min: 2, options: options(undefined, false) }) },
  ],
  [
    'the same product in two components (bundle.same-product-adds-up)',
    { components: { a: component().main, b: component().main } },
  ],
  ['an option that does not exist (bundle.live-options-only)', { components: optionsOf(idOf(4711)) }],
  ['option quantity null', { components: component({ options: [option({ quantity: null })] }) }],
  ['a component without options', { components: component({ options: [] }) }],
  ['an extension of any JSON', { extensions: { template: { a: 1, b: 0.5, c: 'x', d: null, e: [true, { f: -1 }] } } }],
  [
    'keys that a database client may take for its own',
    { extensions: { $type: { $type: 'Param', prisma__type: 'date', prisma__value: 'x', toJSON: 1 } } },
  ],
  ['a variation without options', { variations: [{ id: idOf(90), name: 'Size', options: [] }] }],
  ['modifier names in any number', { variations: variation({ price_modifiers: ['a', 'a', 'B'] }) }],
  [
    'build rules over the variations',
    { variations: variation(), build_rules: { default: 'exclude', include: [[idOf(91)]] } },
  ],
  [
    'locales with language, script and region (language.texts-by-tag)',
    { locales: { de: { name: 'Tasse' }, 'zh-Hant-TW': { description: 'x' } } },
  ],
  [
    'members of the server (input.server-members-accepted)',
    { base_product: 7, base_product_id: 1, price_modifiers: 3, published_at: 'x', created_at: 5, language: {} },
  ],
]

export const bad: readonly Bad[] = [
  ['name absent', { name: undefined }, ['attributes.name REQUIRED']],
  ['name null', { name: null }, ['attributes.name REQUIRED']],
  ['name empty', { name: '' }, ['attributes.name TOO_SHORT']],
  ['name of 1025 code points', { name: astral(1025) }, ['attributes.name TOO_LONG']],
  ['name with U+0000', { name: 'a\u0000' }, ['attributes.name INVALID_TEXT']],
  ['name with a lone surrogate', { name: 'a\ud800' }, ['attributes.name INVALID_TEXT']],
  ['name a number', { name: 5 }, ['attributes.name INVALID_TYPE']],
  ['description of 65537 code points', { description: astral(65_537) }, ['attributes.description TOO_LONG']],
  ['sku empty', { sku: '' }, ['attributes.sku TOO_SHORT']],
  ['sku of 1025 code points', { sku: astral(1025) }, ['attributes.sku TOO_LONG']],
  ['slug empty', { slug: '' }, ['attributes.slug TOO_SHORT']],
  ['slug with a space (product.slug-from-name)', { slug: 'a b' }, ['attributes.slug INVALID_FORMAT']],
  ['slug with a letter beyond A-Z (product.slug-from-name)', { slug: 'é' }, ['attributes.slug INVALID_FORMAT']],
  ['slug of 1025 characters', { slug: long(1025) }, ['attributes.slug TOO_LONG']],
  ['status of another word', { status: 'Live' }, ['attributes.status INVALID_VALUE']],
  ['commodity_type of another word', { commodity_type: 'service' }, ['attributes.commodity_type INVALID_VALUE']],
  ['upc_ean of 1025 characters', { upc_ean: long(1025) }, ['attributes.upc_ean TOO_LONG']],
  ['upc_ean a number', { upc_ean: 4006381333931 }, ['attributes.upc_ean INVALID_TYPE']],
  ['mpn too long, by its other name', { mpn: long(1025) }, ['attributes.mpn TOO_LONG']],
  ['tags no list', { tags: 'a' }, ['attributes.tags INVALID_TYPE']],
  ['tag with a comma (product.tags-in-lower-case)', { tags: ['a', 'b,c'] }, ['attributes.tags.1 INVALID_FORMAT']],
  ['tag with a control character', { tags: ['a\nb'] }, ['attributes.tags.0 INVALID_FORMAT']],
  ['tag of 256 code points (product.tags-in-lower-case)', { tags: [astral(256)] }, ['attributes.tags.0 TOO_LONG']],
  ['tag empty', { tags: [''] }, ['attributes.tags.0 TOO_SHORT']],
  ['tag null', { tags: [null] }, ['attributes.tags.0 REQUIRED']],
  ['external_ref of 2049 code points', { external_ref: astral(2049) }, ['attributes.external_ref TOO_LONG']],

  ['components a list', { components: [] }, ['attributes.components INVALID_TYPE']],
  ['component null', { components: { main: null } }, ['attributes.components.main REQUIRED']],
  [
    'component without name and options',
    { components: { main: {} } },
    ['attributes.components.main.name REQUIRED', 'attributes.components.main.options REQUIRED'],
  ],
  ['component key empty', { components: { '': component().main } }, ['attributes.components. INVALID_FORMAT']],
  ['min below 0', { components: component({ min: -1 }) }, ['attributes.components.main.min OUT_OF_RANGE']],
  ['min a fraction', { components: component({ min: 0.5 }) }, ['attributes.components.main.min OUT_OF_RANGE']],
  [
    'max below min',
    { components: component({ min: 1, max: 0 }) },
    ['attributes.components.main.max INVALID_STRUCTURE'],
  ],
  [
    'fewer options than min (bundle.default-selection-fits)',
    { components: component({ min: 2 }) },
    ['attributes.components.main.min INVALID_STRUCTURE'],
  ],
  [
    'more defaults than max (bundle.default-selection-fits)',
    { components: component({ max: 1, options: options(true, true) }) },
    ['attributes.components.main.options INVALID_STRUCTURE'],
  ],
  [
    'a default, but fewer than min (bundle.default-selection-fits)',
    { components: component({ min: 2, options: options(true, undefined) }) },
    ['attributes.components.main.options INVALID_STRUCTURE'],
  ],
  [
    'sort_order beyond 32 bits',
    { components: component({ sort_order: 2 ** 31 }) },
    ['attributes.components.main.sort_order OUT_OF_RANGE'],
  ],
  [
    'sort_order of an option beyond 32 bits',
    { variations: variation({ sort_order: -(2 ** 31) - 1 }) },
    ['attributes.variations.0.options.0.sort_order OUT_OF_RANGE'],
  ],
  ['max beyond 32 bits', { components: component({ max: 2 ** 31 }) }, ['attributes.components.main.max OUT_OF_RANGE']],
  [
    'option id no UUID',
    { components: component({ options: [{ id: 'x' }] }) },
    ['attributes.components.main.options.0.id INVALID_FORMAT'],
  ],
  [
    'option of another type',
    { components: component({ options: [option({ type: 'node' })] }) },
    ['attributes.components.main.options.0.type INVALID_VALUE'],
  ],
  [
    'option quantity 0 (bundle.option-quantity-from-one)',
    { components: component({ options: [option({ quantity: 0 })] }) },
    ['attributes.components.main.options.0.quantity OUT_OF_RANGE'],
  ],
  [
    'option quantity 2^53',
    { components: component({ options: [option({ quantity: 2 ** 53 })] }) },
    ['attributes.components.main.options.0.quantity OUT_OF_RANGE'],
  ],
  [
    'default no boolean',
    { components: component({ options: [option({ default: 1 })] }) },
    ['attributes.components.main.options.0.default INVALID_TYPE'],
  ],
  [
    'the same product twice in one component (bundle.option-once-per-component)',
    { components: optionsOf(idOf(1), idOf(1).toUpperCase()) },
    ['attributes.components.main.options.1.id DUPLICATE'],
  ],

  [
    'max_length 256 (product.custom-input-length)',
    { custom_inputs: rule(256) },
    ['attributes.custom_inputs.front.validation_rules.0.options.max_length OUT_OF_RANGE'],
  ],
  [
    'max_length 0',
    { custom_inputs: rule(0) },
    ['attributes.custom_inputs.front.validation_rules.0.options.max_length OUT_OF_RANGE'],
  ],
  ['custom input without a name', { custom_inputs: { front: {} } }, ['attributes.custom_inputs.front.name REQUIRED']],
  [
    'rule of another type',
    { custom_inputs: input({ validation_rules: [{ type: 'number' }] }) },
    ['attributes.custom_inputs.front.validation_rules.0.type INVALID_VALUE'],
  ],
  [
    'required no boolean',
    { custom_inputs: input({ required: 'yes' }) },
    ['attributes.custom_inputs.front.required INVALID_TYPE'],
  ],

  [
    'a custom input called __proto__',
    { custom_inputs: { ['__proto__']: { name: 'x' } } },
    ['attributes.custom_inputs.__proto__ INVALID_VALUE'],
  ],
  [
    'a template called __proto__',
    { extensions: { ['__proto__']: { a: 1 } } },
    ['attributes.extensions.__proto__ INVALID_VALUE'],
  ],
  [
    'an attribute called __proto__, and a member deep in its value',
    { extensions: { a: { ['__proto__']: 1, b: [{ ['__proto__']: 1 }] } } },
    ['attributes.extensions.a.__proto__ INVALID_VALUE', 'attributes.extensions.a.b.0.__proto__ INVALID_VALUE'],
  ],
  ['template no object', { extensions: { a: 'x' } }, ['attributes.extensions.a INVALID_TYPE']],
  [
    'U+0000 deep in an extension',
    { extensions: { a: { b: [{ c: '\u0000' }] } } },
    ['attributes.extensions.a.b.0.c INVALID_TEXT'],
  ],
  [
    'a number in an extension that is not kept exactly (value.numbers-never-rounded)',
    { extensions: { a: { b: 2 ** 53 } } },
    ['attributes.extensions.a.b OUT_OF_RANGE'],
  ],

  [
    'an option in a language that is no tag',
    {
      variations: [
        { name: 'x', locales: { de: { name: ' x' } }, options: [{ name: 'y', locales: { 'no tag': { name: 'z' } } }] },
      ],
    },
    [
      'attributes.variations.0.locales.de.name INVALID_TEXT',
      'attributes.variations.0.options.0.locales.no tag INVALID_FORMAT',
    ],
  ],
  ['variation without a name', { variations: [{ options: [] }] }, ['attributes.variations.0.name REQUIRED']],
  ['variation without options', { variations: [{ name: 'x' }] }, ['attributes.variations.0.options REQUIRED']],
  [
    'variation id no UUID',
    { variations: [{ id: 'x', name: 'x', options: [] }] },
    ['attributes.variations.0.id INVALID_FORMAT'],
  ],
  [
    'option id twice',
    { variations: [...variation(), { name: 'Hue', options: [{ id: idOf(91), name: 'S' }] }] },
    ['attributes.variations.1.options.0.id DUPLICATE'],
  ],
  [
    'modifier name empty',
    { variations: variation({ price_modifiers: [''] }) },
    ['attributes.variations.0.options.0.price_modifiers.0 TOO_SHORT'],
  ],
  [
    'build rules of another default',
    { build_rules: { default: 'some' } },
    ['attributes.build_rules.default INVALID_VALUE'],
  ],
  ['option_ids no UUID', { option_ids: ['x'] }, ['attributes.option_ids.0 INVALID_FORMAT']],
  [
    'locale that is no language tag (language.texts-by-tag)',
    { locales: { 'not a tag': { name: 'x' } } },
    ['attributes.locales.not a tag INVALID_FORMAT'],
  ],
  [
    'the same language tag twice (language.texts-by-tag)',
    { locales: { 'de-CH': { name: 'x' }, 'de-ch': { name: 'y' } } },
    ['attributes.locales.de-ch DUPLICATE'],
  ],
  ['locale name with a space behind', { locales: { de: { name: 'x ' } } }, ['attributes.locales.de.name INVALID_TEXT']],

  [
    'several at once, in the order of the tables',
    { tags: 5, name: 1, locales: 1, sku: '', components: 1, custom_inputs: 1 },
    [
      'name INVALID_TYPE',
      'sku TOO_SHORT',
      'tags INVALID_TYPE',
      'components INVALID_TYPE',
      'custom_inputs INVALID_TYPE',
      'locales INVALID_TYPE',
    ].map((text) => `attributes.${text}`),
  ],
]
