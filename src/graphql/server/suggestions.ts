/**
 * Yoga's plugins for suggestions ("Did you mean ...?") at the end of errors: added outside production, removed in it.
 */
import type { GraphQLError, GraphQLSchema } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { withoutSuggestion } from '../schema/errors.ts'
import { withSuggestion } from '../schema/suggestions.ts'

/** Adds suggestions to those of graphql-js, in errors of documents and of variables. */
export function useSuggestions(schema: GraphQLSchema): Plugin {
  const suggested = (errors: readonly GraphQLError[]) => errors.map((error) => withSuggestion(schema, error))
  return {
    onValidate() {
      return ({ valid, result, setResult }) => {
        if (!valid) setResult(suggested(result as GraphQLError[]))
      }
    },
    onExecute() {
      return {
        onExecuteDone({ result, setResult }) {
          if ('errors' in result && result.errors) setResult({ ...result, errors: suggested(result.errors) })
        },
      }
    },
  }
}

/** Removes suggestions ("Did you mean ...?") from validation errors, in production. */
export function useNoSuggestions(): Plugin {
  return {
    onValidate() {
      return ({ valid, result, setResult }) => {
        if (!valid) setResult((result as GraphQLError[]).map(withoutSuggestion))
      }
    },
  }
}
