/**
 * Root conditions: refuses subscriptions whose root field has `@skip` or `@include`, as graphql 17 does. With graphql
 * 16 a variable there aborts the validation, and a root field that is left out aborts the execution.
 */
import {
  type DirectiveNode,
  type DocumentNode,
  GraphQLError,
  Kind,
  OperationTypeNode,
  type SelectionSetNode,
} from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { fragmentsOf } from './operation.ts'

/** Yoga plugin that checks documents before any validation rule. */
export function useRootConditions(): Plugin {
  return {
    onValidate({ params, setResult }) {
      const conditions = rootConditions(params.documentAST as DocumentNode)
      if (conditions.length > 0) setResult(conditions.map(refusal))
    },
  }
}

function refusal(condition: DirectiveNode): GraphQLError {
  const message = `A subscription's root field must not have the directive "@${condition.name.value}"`
  return new GraphQLError(message, { nodes: condition, extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } })
}

/** The conditions on the root fields of a document's subscriptions, and on fragments that hold them. */
function rootConditions(document: DocumentNode): DirectiveNode[] {
  const fragments = fragmentsOf(document)
  const seen = new Set<string>()
  const within = ({ selections }: SelectionSetNode): DirectiveNode[] =>
    selections.flatMap((selection) => {
      const own = (selection.directives ?? []).filter(({ name }) => name.value === 'skip' || name.value === 'include')
      if (selection.kind === Kind.INLINE_FRAGMENT) return [...own, ...within(selection.selectionSet)]
      return selection.kind === Kind.FRAGMENT_SPREAD ? [...own, ...ofFragment(selection.name.value)] : own
    })
  // Each fragment is visited once, so a cycle, which a validation rule refuses, ends here.
  const ofFragment = (name: string): DirectiveNode[] => {
    const fragment = fragments.get(name)
    if (seen.has(name) || !fragment) return []
    seen.add(name)
    return within(fragment.selectionSet)
  }
  return document.definitions.flatMap((one) =>
    one.kind === Kind.OPERATION_DEFINITION && one.operation === OperationTypeNode.SUBSCRIPTION
      ? within(one.selectionSet)
      : [],
  )
}
