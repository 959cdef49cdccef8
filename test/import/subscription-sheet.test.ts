/** Sheets of subscription products and plans: CSV files that teams export, change in a spreadsheet and import again. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { endBehaviorWords } from '../../src/domain/subscriptions/billing.ts'
import { LeftOut, recordSheetOf, recordSheetText } from '../../src/export/record-sheet.ts'
import { sheetWorkbook } from '../../src/export/sheet-text.ts'
import { reset, useDatabase } from '../support/database.ts'
import { runs } from '../support/effort.ts'
import { runImport } from '../support/import.ts'
import { servicesOf } from '../support/services.ts'
import { bytesOf, importSheetFile, type SheetRun } from '../support/sheet.ts'

type Type = 'subscription_product' | 'subscription_plan'

const database = useDatabase()
const services = servicesOf(database)
const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-subscriptions-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => reset(database))

function importSheet(type: Type, text: string | Buffer, ...options: string[]): Promise<SheetRun> {
  return importSheetFile(services, join(folder, 'sheet.csv'), text, ['--type', type, ...options])
}

async function exported(type: Type): Promise<string> {
  const leftOut = new LeftOut(type)
  let text = ''
  for await (const piece of recordSheetText(database, type, leftOut)) text += piece
  expect(leftOut.toString()).not.toContain('left out')
  return text
}

function workbook(type: Type): Promise<Buffer> {
  return bytesOf(recordSheetOf(sheetWorkbook, database, type, new LeftOut(type)))
}

async function stored(type: Type): Promise<Record<string, unknown>[]> {
  const table = { subscription_product: 'subscription_product', subscription_plan: 'plan' }[type]
  const { rows } = await database.pool.query(
    `SELECT * FROM ${table} ORDER BY name COLLATE "C", external_ref COLLATE "C", id`,
  )
  return rows.map(({ created_at: _, updated_at: __, version: ___, ...record }) => record)
}

async function fill(type: Type, ...records: object[]): Promise<void> {
  const { refused } = await runImport(
    services,
    records.map((attributes) => ({ type, attributes })),
  )
  expect(refused).toEqual([])
}

const anyText = fc.option(fc.constantFrom('', '-', '=1+1', "'x", 'two\nlines', 'a;"b",\tc', '4E6'))
const anyName = fc.constantFrom('Tea box', '=Tea', '- tea', '"Tea", green')
const anyPrices = fc.dictionary(
  fc.constantFrom('EUR', 'JPY', 'KWD'),
  fc.record({ amount: fc.constantFrom(0, 5, 1250, Number.MAX_SAFE_INTEGER), includes_tax: fc.boolean() }),
)
const anyProduct = fc.record({
  external_ref: anyText,
  name: anyName,
  description: anyText,
  sku: fc.option(fc.constantFrom('TEA', '=TEA', '00012')),
  main_image: fc.option(fc.constantFrom('https://example.com/tea.png?a=1,2')),
  price: anyPrices,
  price_units: fc.option(fc.record({ unit: fc.constantFrom('day', 'month'), amount: fc.constantFrom(1, 30) })),
})
const monthly = {
  name: 'Monthly',
  billing_interval_type: 'month',
  billing_frequency: 1,
  trial_period: 0,
  plan_length: 12,
  end_behavior: 'roll',
  can_pause: true,
  can_resume: true,
  can_cancel: true,
}
const anyPlan = fc.record({
  external_ref: anyText,
  name: anyName,
  description: anyText,
  billing_interval_type: fc.constantFrom('day', 'week', 'month', 'year'),
  billing_frequency: fc.constantFrom(1, 3),
  trial_period: fc.constantFrom(0, 14),
  plan_length: fc.constantFrom(1, 12),
  end_behavior: fc.constantFrom(...endBehaviorWords),
  can_pause: fc.boolean(),
  can_resume: fc.boolean(),
  can_cancel: fc.boolean(),
  base_price_percentage: fc.option(fc.constantFrom(0, 50, 33.125, 1e-7, 0.1 + 0.2, 10_000)),
  fixed_price: anyPrices,
})

describe('sheet.export-restores-it, sheet.record-columns: sheets of subscription products and plans', () => {
  it.each([
    ['subscription_product', anyProduct],
    ['subscription_plan', anyPlan],
  ] as const)(
    'random records of type %s that are exported as CSV or as a workbook and imported again are unchanged, give the same bytes, and come back into an empty store',
    async (type, any) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array<object>(any as fc.Arbitrary<object>, { minLength: 1, maxLength: 8 }),
          async (records) => {
            await reset(database)
            await runImport(
              services,
              records.map((record, at) => ({ type, attributes: unlike(record, at) })),
            )
            const [before, text] = [await stored(type), await exported(type)]
            expect(before.length).toBe(records.length)
            expect(await importSheet(type, text)).toEqual({ counts: [0, 0, records.length, 0], reported: [] })
            expect([await stored(type), await exported(type)]).toEqual([before, text])
            const bytes = await workbook(type)
            expect(await importSheet(type, bytes)).toEqual({ counts: [0, 0, records.length, 0], reported: [] })
            expect([await stored(type), await workbook(type)]).toEqual([before, bytes])
            for (const file of [text, bytes]) {
              await reset(database)
              expect(await importSheet(type, file)).toEqual({ counts: [records.length, 0, 0, 0], reported: [] })
              expect((await stored(type)).map(withoutId)).toEqual(before.map(withoutId))
              expect([await exported(type), await workbook(type)]).toEqual([text, bytes])
            }
          },
        ),
        runs(20),
      )
    },
  )

  it('sheet.row-finds-its-record: an export has the id where a record has no external_ref or several have it', async () => {
    await fill('subscription_plan', { ...monthly, name: 'Plan A' }, { ...monthly, name: 'Plan B', external_ref: 'b' })
    const ids = async () =>
      (await exported('subscription_plan'))
        .split('\r\n')
        .slice(1, -1)
        .map((row) => row.split(',').slice(0, 2))
    const [a, b] = (await stored('subscription_plan')).map(({ id }) => id)
    expect(await ids()).toEqual([
      [a, ''],
      ['', 'b'],
    ])
    await database.pool.query("UPDATE plan SET external_ref = 'b'")
    expect(await ids()).toEqual([
      [a, 'b'],
      [b, 'b'],
    ])
    expect((await importSheet('subscription_plan', 'external_ref,name\nb,Other\n')).reported).toEqual([
      'sheet.csv A2: external_ref means more than one stored record (INVALID_VALUE)',
    ])
  })

  it('a sheet of subscription products changes one price and keeps the others, and a dash removes one', async () => {
    const price = { EUR: { amount: 1250, includes_tax: true }, USD: { amount: 900, includes_tax: false } }
    await fill('subscription_product', {
      name: 'Tea box',
      external_ref: 'tea',
      price,
      price_units: { unit: 'month', amount: 1 },
    })
    expect(await exported('subscription_product')).toBe(
      `\ufeffexternal_ref,name,description,sku,main_image,EUR.amount,EUR.includes_tax,USD.amount,USD.includes_tax,price_units.amount,price_units.unit\r\ntea,Tea box,,,,12.50,true,9.00,false,1,month\r\n`,
    )
    expect(
      await importSheet('subscription_product', 'external_ref;EUR.amount;price_units.amount\ntea;13,00;2\n'),
    ).toEqual({
      counts: [0, 1, 0, 0],
      reported: [],
    })
    expect((await stored('subscription_product'))[0]).toMatchObject({
      price: { ...price, EUR: { amount: 1300, includes_tax: true } },
      price_units: { unit: 'month', amount: 2 },
    })
    await importSheet(
      'subscription_product',
      'external_ref,USD.amount,price_units.amount,price_units.unit\ntea,-,-,-\n',
    )
    const [after] = await stored('subscription_product')
    expect([Object.keys(after?.price as object), after?.price_units]).toEqual([['EUR'], null])
  })

  it.each([
    [
      'subscription_product',
      'external_ref,EUR.amount\ntea,12.345\n',
      'sheet.csv B2: EUR.amount has 3 decimals, and EUR has 2',
    ],
    [
      'subscription_product',
      'external_ref,EUR.amout\ntea,1\n',
      'sheet.csv B1: column EUR.amout is unknown, did you mean EUR.amount?',
    ],
    ['subscription_product', 'external_ref,GBP.includes_tax\ntea,true\n', 'sheet.csv B2: GBP.includes_tax '],
    [
      'subscription_product',
      'external_ref,price_units.unit\ntea,week\n',
      'sheet.csv B2: price_units.unit must be one of day, month',
    ],
    ['subscription_product', 'sku,name\nTEA,Tea box\n', 'sheet.csv row 1: has no column id or external_ref'],
    ['subscription_plan', 'external_ref,can_pause\nplan,yes\n', 'sheet.csv B2: can_pause must be true or false'],
    [
      'subscription_plan',
      'external_ref,plan_length\nplan,1e1\n',
      'sheet.csv B2: plan_length must be a whole number such as 12',
    ],
    ['subscription_plan', 'external_ref,plan_length\nplan,0\n', 'sheet.csv B2: plan_length must be '],
    [
      'subscription_plan',
      'external_ref;base_price_percentage\nplan;12.5\n',
      'sheet.csv B2: base_price_percentage must be a number such as 12,5',
    ],
    [
      'subscription_plan',
      'external_ref,base_price_percentage\nplan,0.12345678901234567891\n',
      'sheet.csv B2: base_price_percentage has more digits than are kept',
    ],
    [
      'subscription_plan',
      'external_ref,fixed_price.EUR.amount\nplan,"1,5"\n',
      'sheet.csv B2: fixed_price.EUR.amount must be an amount such as 12.50',
    ],
  ] as const)('a wrong cell of a sheet of type %s is refused by its name: %j', async (type, text, message) => {
    await fill('subscription_product', { name: 'Tea box', external_ref: 'tea' })
    await fill('subscription_plan', { ...monthly, external_ref: 'plan' })
    const before = await stored(type)
    expect((await importSheet(type, text)).reported.join('\n')).toContain(message)
    expect(await stored(type)).toEqual(before)
  })

  it('a new row with a cell that can not be read is refused for that cell alone', async () => {
    const row = { ...monthly, can_pause: 'yes', trial_period: '1e1' }
    const text = `external_ref,${Object.keys(row).join(',')}\nnew,${Object.values(row).join(',')}\n`
    expect((await importSheet('subscription_plan', text)).reported).toEqual([
      'sheet.csv E2: trial_period must be a whole number such as 12, without spaces, grouping signs and exponents (INVALID_FORMAT)',
      'sheet.csv H2: can_pause must be true or false (INVALID_VALUE)',
    ])
  })

  it('a sheet of plans is read with a decimal comma where a semicolon separates, and with flags in capitals', async () => {
    await fill('subscription_plan', { ...monthly, external_ref: 'plan' })
    const text = 'external_ref;base_price_percentage;can_pause;fixed_price.EUR.amount\nplan;12,50;FALSE;9,90\n'
    expect(await importSheet('subscription_plan', text)).toEqual({ counts: [0, 1, 0, 0], reported: [] })
    expect((await stored('subscription_plan'))[0]).toMatchObject({
      base_price_percentage: 12.5,
      can_pause: false,
      fixed_price: { EUR: { amount: 990, includes_tax: false } },
    })
  })
})

function withoutId({ id: _, ...record }: Record<string, unknown>): object {
  return record
}

/** A record with a reference of its own, so that an import of JSON adds each. */
function unlike(record: object, at: number): object {
  const { external_ref: ref, ...others } = record as { external_ref: string | null }
  return { ...others, external_ref: ref === null ? null : `${ref}${at}` }
}
