/**
 * Suggestions: what a client probably meant, at the end of an error of graphql-js, as graphql-js itself adds them. In
 * production there are none, since they tell of the schema.
 */
import { GraphQLError, type GraphQLInputObjectType, type GraphQLSchema, getNamedType, isInputObjectType, isObjectType } from 'graphql'

/** Members that the form of an input shows. */
const SHOWN_MAX = 8
/**
 * Characters of a message's end, where it names the type of a variable; what is before may be megabytes of the
 * client's.
 */
const END = 300

/** The error with the form of the input that its place takes, when it is one of those that have another form. */
export function withSuggestion(schema: GraphQLSchema, error: GraphQLError): GraphQLError {
  const { message, nodes = null, source = null, positions = null, path = null, extensions } = error
  const suggested = forArgument(schema, message) ?? forInput(schema, message)
  return suggested === null ? error : new GraphQLError(suggested, { nodes, source, positions, path, extensions })
}

/** An argument that is a member of another argument of the field: `sku` of `by: { sku: }`. */
function forArgument(schema: GraphQLSchema, message: string): string | null {
  const [sentence, name = '', typeName = '', fieldName = ''] = /^Unknown argument "(\w+)" on field "(\w+)\.(\w+)"\./.exec(message) ?? []
  const type = schema.getType(typeName)
  const field = isObjectType(type) ? type.getFields()[fieldName] : undefined
  const places = (field?.args ?? []).filter((argument) => {
    const input = getNamedType(argument.type)
    return isInputObjectType(input) && name in input.getFields()
  })
  if (sentence === undefined || places.length === 0) return null
  return `${sentence} Did you mean ${places.map((place) => `"${place.name}: { ${name}: }"`).join(' or ')}?`
}

/** A list or another value in place of an input object, in a document or in a variable. */
function forInput(schema: GraphQLSchema, message: string): string | null {
  const inDocument = /^Expected value of type "(\w+)!?", found /.exec(message)
  const inVariable = /Expected type "(\w+)" to be an object\.$/.exec(message.slice(-END))
  const type = schema.getType((inDocument ?? inVariable)?.[1] ?? '')
  return isInputObjectType(type) ? `${message} Did you mean ${formOf(type)}?` : null
}

/** `{ eq: String, in: [String!] }`; for an input of exactly one member `{ id: ID } or { sku: String }`. */
function formOf(type: GraphQLInputObjectType): string {
  const members = Object.values(type.getFields()).map((field) => `${field.name}: ${field.type}`)
  const shown = members.length > SHOWN_MAX ? [...members.slice(0, SHOWN_MAX), '...'] : members
  return type.isOneOf ? shown.map((member) => `{ ${member} }`).join(' or ') : `{ ${shown.join(', ')} }`
}
