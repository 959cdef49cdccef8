/**
 * Suggestions ("Did you mean ...?") of what a client probably meant. They end an error of graphql-js, in the form that
 * graphql-js uses for its own. In production there are none, since they reveal the schema.
 */
import {
  GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isObjectType,
} from 'graphql'
import type { Plugin } from 'graphql-yoga'

/** The most members that a suggested form shows. */
const SHOWN_MAX = 8
/**
 * Characters at the end of a message, where it names the type of a variable. Before them may be megabytes of client
 * input.
 */
const END = 300

/**
 * Yoga's plugin: adds suggestions to those of graphql-js, in errors of documents and of variables. In production it
 * removes graphql-js's own from errors of documents; executor.ts does so for the other errors.
 */
export function useSuggestions(schema: GraphQLSchema, production: boolean): Plugin {
  const corrected = (errors: readonly GraphQLError[]) =>
    errors.map((error) => (production ? withoutSuggestion(error) : withSuggestion(schema, error)))
  return {
    onValidate() {
      return ({ valid, result, setResult }) => {
        if (!valid) setResult(corrected(result as GraphQLError[]))
      }
    },
    onExecute() {
      return {
        onExecuteDone({ result, setResult }) {
          if (!production && 'errors' in result && result.errors)
            setResult({ ...result, errors: corrected(result.errors) })
        },
      }
    },
  }
}

/** Removes graphql-js's suggestion ("Did you mean ...?") from an error. */
export function withoutSuggestion(error: GraphQLError): GraphQLError {
  const { nodes = null, source = null, positions = null, path = null, extensions } = error
  // The text before the suggestion may have megabytes of client input, for which a regular expression with `.*` would
  // take hours.
  const end = error.message.endsWith('?') ? error.message.lastIndexOf(' Did you mean ') : -1
  return end < 0 ? error : new GraphQLError(error.message.slice(0, end), { nodes, source, positions, path, extensions })
}

/** The error with a suggestion, when it is one of those that get one here. */
function withSuggestion(schema: GraphQLSchema, error: GraphQLError): GraphQLError {
  const { message, nodes = null, source = null, positions = null, path = null, extensions } = error
  const suggested = forArgument(schema, message) ?? forInput(schema, message)
  return suggested === null ? error : new GraphQLError(suggested, { nodes, source, positions, path, extensions })
}

/** For an argument that is really a member of another argument of the field: `sku` of `by: { sku: }`. */
function forArgument(schema: GraphQLSchema, message: string): string | null {
  const [sentence, name = '', typeName = '', fieldName = ''] =
    /^Unknown argument "(\w+)" on field "(\w+)\.(\w+)"\./.exec(message) ?? []
  const type = schema.getType(typeName)
  const field = isObjectType(type) ? type.getFields()[fieldName] : undefined
  const places = (field?.args ?? []).filter((argument) => {
    const input = getNamedType(argument.type)
    return isInputObjectType(input) && name in input.getFields()
  })
  if (sentence === undefined || places.length === 0) return null
  return `${sentence} Did you mean ${places.map((place) => `"${place.name}: { ${name}: }"`).join(' or ')}?`
}

/** For a list or another value in place of an input object, in a document or in a variable. */
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
