/** Custom scalars: Long, DateTime, Date, CurrencyCode and JSON (value.numbers-never-rounded). */
import { GraphQLError, Kind, type ValueNode, valueFromASTUntyped } from 'graphql'
import { formatInstant, parseInstant } from '../../domain/input/instant.ts'
import { builder } from './builder.ts'

builder.scalarType('Long', {
  description:
    'An integer from -9007199254740991 to 9007199254740991, a JSON number: what JavaScript keeps exactly. Others are refused, never rounded.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc7493#section-2.2',
  serialize: (value) => readLong(value),
  parseValue: (value) => readLong(value),
  // A literal is validated by its digits, since the conversion to a number could round them.
  parseLiteral: (node) =>
    node.kind === Kind.INT ? readLong(exactNumber(node.value), node) : refuseLiteral('Long', node),
})

builder.scalarType('DateTime', {
  description:
    'An instant. Taken as RFC 3339 text (`2026-01-31T10:00:00Z`; without an offset it is in the time zone of the store, UTC by default; digits past the millisecond are cut), returned in UTC with milliseconds (`2026-01-31T10:00:00.000Z`).',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  serialize: (value) => formatInstant(value as number),
  parseValue: (value) => readDateTime(value),
  parseLiteral: (node) =>
    node.kind === Kind.STRING ? readDateTime(node.value, node) : refuseLiteral('DateTime', node),
})

// Any text is a Date or a CurrencyCode here. The reader of the value refuses a wrong one, so that the error can name
// the argument or field.
builder.scalarType('Date', {
  description: 'A day of the calendar, such as `2030-11-29`.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  serialize: (value) => value as string,
  parseValue: (value) => readText('Date', value),
  parseLiteral: (node) => (node.kind === Kind.STRING ? node.value : refuseLiteral('Date', node)),
})

builder.scalarType('CurrencyCode', {
  description: 'A currency by its three-letter code of ISO 4217, such as `EUR`.',
  specifiedByURL: 'https://www.iso.org/iso-4217-currency-codes.html',
  serialize: (value) => value as string,
  parseValue: (value) => readText('CurrencyCode', value),
  parseLiteral: (node) => (node.kind === Kind.STRING ? node.value : refuseLiteral('CurrencyCode', node)),
})

builder.scalarType('JSON', {
  description: 'Any JSON value, as it is.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-3',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
})

function readLong(value: unknown, literal?: ValueNode): number {
  // `+ 0` turns -0 into 0.
  if (Number.isSafeInteger(value)) return (value as number) + 0
  throw new GraphQLError(
    `Long cannot represent a value that is not an integer within ±9007199254740991: ${shown(value)}`,
    {
      nodes: literal ?? null,
    },
  )
}

function readText(scalar: string, value: unknown): string {
  if (typeof value === 'string') return value
  throw new GraphQLError(`${scalar} cannot represent a value that is not a string: ${shown(value)}`)
}

function exactNumber(digits: string): unknown {
  const value = Number(digits)
  return Number.isSafeInteger(value) ? value : digits
}

function readDateTime(value: unknown, literal?: ValueNode): number {
  const ms = typeof value === 'string' ? parseInstant(value) : null
  if (ms === null)
    throw new GraphQLError(`DateTime cannot represent a value that is not an RFC 3339 date-time: ${shown(value)}`, {
      nodes: literal ?? null,
    })
  return ms
}

function refuseLiteral(scalar: string, node: ValueNode): never {
  throw new GraphQLError(`${scalar} cannot represent a literal of kind ${node.kind}`, { nodes: node })
}

function shown(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? JSON.stringify(value) : typeof value
  return text.length > 60 ? `${text.slice(0, 60)}...` : text
}
