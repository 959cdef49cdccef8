import { afterEach, describe, expect, test } from 'vitest'
import { formatInstant, parseDay, parseInstant, setStoreTimeZone } from '../../../src/domain/input/instant.ts'

describe('value.instants-cut-to-milliseconds: RFC 3339 in, UTC with milliseconds out', () => {
  test.each([
    ['2026-03-01T10:00:00Z', '2026-03-01T10:00:00.000Z'],
    ['2026-03-01T10:00:00', '2026-03-01T10:00:00.000Z'],
    ['2026-03-01t10:00:00.5z', '2026-03-01T10:00:00.500Z'],
    ['2026-03-01T10:00:00.1239999Z', '2026-03-01T10:00:00.123Z'],
    ['1969-12-31T23:59:59.9999Z', '1969-12-31T23:59:59.999Z'],
    ['2026-03-01T00:30:00+01:00', '2026-02-28T23:30:00.000Z'],
    ['2026-02-28T23:30:00-00:45', '2026-03-01T00:15:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['0099-01-01T00:00:00Z', '0099-01-01T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('the instant %s is read and printed as %s', (text, utc) => {
    const ms = parseInstant(text)
    expect(ms === null ? null : formatInstant(ms)).toBe(utc)
  })

  test.each([
    '2026-03-01',
    '2026-03-01T10:00Z',
    '2026-03-01T10:00:60Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T10:60:00Z',
    '2026-02-30T00:00:00Z',
    '2023-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-03-00T00:00:00Z',
    '2026-03-01T10:00:00+24:00',
    '2026-03-01T10:00:00+01:60',
    '2026-03-01T10:00:00+0100',
    '2026-03-01T10:00:00.Z',
    '2026-03-01 10:00:00Z',
    ' 2026-03-01T10:00:00Z',
    '2026-03-01T10:00:00Z\n',
    '+002026-03-01T10:00:00Z',
    '0000-12-31T00:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '',
    'yesterday',
  ])('%j is no instant', (text) => {
    expect(parseInstant(text)).toBeNull()
  })
})

describe('value.local-instants-in-store-zone: instants without an offset', () => {
  afterEach(() => setStoreTimeZone('UTC'))

  test.each([
    ['Europe/Berlin', '2030-01-15T12:00:00', '2030-01-15T11:00:00.000Z'],
    ['Europe/Berlin', '2030-07-15T12:00:00.1239', '2030-07-15T10:00:00.123Z'],
    // Clocks go from 02:00 to 03:00.
    ['Europe/Berlin', '2030-03-31T01:59:59.999', '2030-03-31T00:59:59.999Z'],
    ['Europe/Berlin', '2030-03-31T02:00:00', '2030-03-31T01:00:00.000Z'],
    ['Europe/Berlin', '2030-03-31T02:59:59.999', '2030-03-31T01:59:59.999Z'],
    ['Europe/Berlin', '2030-03-31T03:00:00', '2030-03-31T01:00:00.000Z'],
    // Clocks go from 03:00 back to 02:00.
    ['Europe/Berlin', '2030-10-27T01:59:59.999', '2030-10-26T23:59:59.999Z'],
    ['Europe/Berlin', '2030-10-27T02:00:00', '2030-10-27T00:00:00.000Z'],
    ['Europe/Berlin', '2030-10-27T02:59:59.999', '2030-10-27T00:59:59.999Z'],
    ['Europe/Berlin', '2030-10-27T03:00:00', '2030-10-27T02:00:00.000Z'],
    // A gap of half an hour, and one of a whole day.
    ['Australia/Lord_Howe', '2030-10-06T02:15:00', '2030-10-05T15:45:00.000Z'],
    ['Pacific/Apia', '2011-12-30T12:00:00', '2011-12-30T22:00:00.000Z'],
    ['Asia/Kolkata', '2030-01-01T00:00:00', '2029-12-31T18:30:00.000Z'],
    ['Etc/GMT+5', '9999-12-31T18:59:59.999', '9999-12-31T23:59:59.999Z'],
  ])('in %s the instant %s is %s', (zone, text, utc) => {
    setStoreTimeZone(zone)
    const ms = parseInstant(text)
    expect(ms === null ? null : formatInstant(ms)).toBe(utc)
  })

  test('an instant with an offset is the same in every time zone', () => {
    setStoreTimeZone('Europe/Berlin')
    for (const text of ['2030-03-31T02:30:00Z', '2030-03-31t02:30:00z', '2030-03-31T02:30:00+00:00'])
      expect(formatInstant(parseInstant(text) as number)).toBe('2030-03-31T02:30:00.000Z')
  })

  test('a local time that leads beyond the years of instants is none, nor is one that the calendar lacks', () => {
    setStoreTimeZone('Europe/Berlin')
    expect(parseInstant('0001-01-01T00:00:00')).toBeNull()
    expect(parseInstant('2030-02-29T00:00:00')).toBeNull()
    setStoreTimeZone('Etc/GMT+5')
    expect(parseInstant('9999-12-31T19:00:00')).toBeNull()
  })
})

describe('sale.whole-days: the first instant of a day and of the day after it', () => {
  afterEach(() => setStoreTimeZone('UTC'))
  const inUtc = (ms: number | null) => (ms === null ? null : formatInstant(ms))

  test.each([
    ['UTC', '2030-11-29', '2030-11-29T00:00:00.000Z', '2030-11-30T00:00:00.000Z'],
    ['Europe/Berlin', '2030-11-29', '2030-11-28T23:00:00.000Z', '2030-11-29T23:00:00.000Z'],
    // Days of 23 and of 25 hours.
    ['Europe/Berlin', '2030-03-31', '2030-03-30T23:00:00.000Z', '2030-03-31T22:00:00.000Z'],
    ['Europe/Berlin', '2030-10-27', '2030-10-26T22:00:00.000Z', '2030-10-27T23:00:00.000Z'],
    // A day without midnight, one before a day that the zone skipped, and the last of a year.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z', '2018-11-05T02:00:00.000Z'],
    ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00.000Z', '2011-12-30T10:00:00.000Z'],
    ['Europe/Berlin', '2028-12-31', '2028-12-30T23:00:00.000Z', '2028-12-31T23:00:00.000Z'],
  ])('in %s the day %s', (zone, day, start, end) => {
    setStoreTimeZone(zone)
    expect([inUtc(parseDay(day, 'start')), inUtc(parseDay(day, 'end'))]).toEqual([start, end])
  })

  test.each([
    '2030-02-29',
    '2030-13-01',
    '2030-00-01',
    '2030-01-00',
    '30-01-01',
    '2030-1-1',
    '2030-01-01T00:00:00Z',
    '',
  ])('%j is no day', (text) => expect([parseDay(text, 'start'), parseDay(text, 'end')]).toEqual([null, null]))

  test('days before and after the years of instants are none', () => {
    expect([parseDay('0000-12-31', 'start'), parseDay('0001-01-01', 'start')]).toEqual([null, -62135596800000])
    expect([parseDay('9999-12-31', 'end'), parseDay('9999-12-30', 'end')]).toEqual([null, 253402214400000])
  })
})
