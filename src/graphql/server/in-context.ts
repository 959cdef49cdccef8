/**
 * The directive @inContext: sets for one operation what headers set for a request, so that a stored document needs no
 * headers (graph.operation-sets-its-context). This is the one place where the effective context of an operation is
 * made.
 */
import {
  DirectiveLocation,
  GraphQLDirective,
  type GraphQLError,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLSchema,
  GraphQLString,
  getDirectiveValues,
  locatedError,
} from 'graphql'
import { isCurrencyCode } from '../../domain/input/currency.ts'
import { badRequest, DomainError, type Path, type ViolationCode } from '../../domain/input/errors.ts'
import { DAY_MS, isInstant } from '../../domain/input/instant.ts'
import { PLAN_DAYS_MAX, STOREFRONT_TAGS_MAX } from '../../domain/input/limits.ts'
import { languageTag } from '../../domain/language/locale.ts'
import { type Context, contextAt, type ShopperHeaders } from '../../request/context.ts'
import { assertText } from '../schema/text-filter.ts'
import { coercedVariables, type Operation } from './operation.ts'

const NAME = 'inContext'

/** The coerced arguments of the directive; null means absent. */
interface InContext {
  readonly currency?: string | null
  readonly locale?: string | null
  readonly channel?: string | null
  readonly tags?: readonly string[] | null
  /** Epoch milliseconds. */
  readonly at?: number | null
}

/** The definition of the directive, with scalars of `schema`. */
export function inContextDirective(schema: GraphQLSchema): GraphQLDirective {
  const scalar = (name: string) => schema.getType(name) as GraphQLInputType
  return new GraphQLDirective({
    name: NAME,
    description:
      'Sets for the whole operation what the headers X-MOLTIN-CURRENCY, Accept-Language, EP-Channel and EP-Context-Tag set for a request, so that a stored document sent by GET needs none of them. An argument that is absent or null leaves the header in force; an argument of a field goes before both.',
    locations: [DirectiveLocation.QUERY, DirectiveLocation.SUBSCRIPTION],
    args: {
      currency: { type: scalar('CurrencyCode'), description: 'The currency of prices, such as `EUR`.' },
      locale: { type: GraphQLString, description: 'The language of texts and amounts, such as `de-CH`.' },
      channel: { type: GraphQLString, description: 'The channel for the storefront, such as `web`.' },
      tags: {
        type: new GraphQLList(new GraphQLNonNull(GraphQLString)),
        description: `Tags for the storefront, such as \`["gold"]\`, at most ${STOREFRONT_TAGS_MAX}.`,
      },
      at: {
        type: scalar('DateTime'),
        description:
          'The instant of all prices, orders and rules, such as `2026-11-27T00:00:00Z`, for administrators only. An instant to come shows the release that is scheduled for it, a past one that of now; the year 8997 is the last.',
      },
    },
  })
}

/** The context with what the operation's directive sets, or the error of one of its arguments. */
export function operationContext(schema: GraphQLSchema, operation: Operation, ctx: Context): Context | GraphQLError {
  const directive = schema.getDirective(NAME)
  const node = operation.definition.directives?.find(({ name }) => name.value === NAME)
  const variables = directive && node && coercedVariables(schema, operation)
  if (!variables) return ctx
  try {
    const given = (getDirectiveValues(directive, operation.definition, variables) ?? {}) as InContext
    const shopperHeaders = { ...ctx.shopperHeaders, ...headersOf(given) }
    return { ...(given.at == null ? ctx : contextAt(ctx, instantOf(given.at, ctx))), shopperHeaders }
  } catch (error) {
    return locatedError(error, node)
  }
}

function headersOf({ currency, locale, channel, tags }: InContext): Partial<ShopperHeaders> {
  if (currency != null && !isCurrencyCode(currency))
    throw refusal('INVALID_FORMAT', 'currency', 'must be three uppercase letters')
  if (locale != null && languageTag(locale) !== undefined)
    throw refusal('INVALID_FORMAT', 'locale', 'must be a BCP 47 language tag')
  if (tags != null && tags.length > STOREFRONT_TAGS_MAX)
    throw refusal('TOO_MANY', 'tags', `must have at most ${STOREFRONT_TAGS_MAX} entries`)
  // The storefront's statement compares them with stored texts.
  for (const text of tags ?? []) assertText(text, pathOf('tags'))
  assertText(channel, pathOf('channel'))
  return {
    ...(currency != null && { currency }),
    ...(locale != null && { acceptLanguage: locale }),
    ...(channel != null && { channel: channel || null }),
    ...(tags != null && { tags }),
  }
}

function instantOf(at: number, { viewer, cachePolicy }: Context): number {
  if (viewer.role !== 'admin') throw new DomainError('forbidden', `The argument @${NAME}(at:) is for administrators`)
  // A subscription is billed next up to one interval later, which must be an instant of the year 9999 at most.
  if (!isInstant(at + PLAN_DAYS_MAX * DAY_MS))
    throw refusal('OUT_OF_RANGE', 'at', `must be at least ${PLAN_DAYS_MAX} days before the year 10000`)
  // The policy compares price changes with the present, which is not the instant of this response.
  cachePolicy.doNotStore()
  return at
}

function refusal(code: ViolationCode, argument: string, message: string): DomainError {
  return badRequest(code, pathOf(argument), message)
}

function pathOf(argument: string): Path {
  return [{ key: `@${NAME}(${argument}:)` }]
}
