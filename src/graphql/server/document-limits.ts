/**
 * Document limits: depth limit, aliases, directives, tokens, lines and characters, checked before any validation rule.
 * A fragment counts wherever it is spread. Each error has a code of its own, the figure and the limit.
 */
import {
  type DocumentNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
} from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { limitError } from '../schema/limit-error.ts'
import { fragmentsOf } from './operation.ts'

export const DEPTH_MAX = 32
export const ALIASES_MAX = 200
export const DIRECTIVES_MAX = 100
/** It also bounds the time of validation, which compares fields of one name pair by pair. */
export const TOKENS_MAX = 4_000

/** It bounds the time to compute the locations of errors, each of which counts lines from the start of the text. */
export const LINES_MAX = 2_000
export const CHARACTERS_MAX = 256 * 1024

/** Yoga plugin that checks the limits when a document is parsed and validated. */
export function useDocumentLimits(): Plugin {
  return {
    onParse({ setParseFn }) {
      setParseFn((source: string) => parseWithin(source))
    },
    onValidate({ params, setResult }) {
      const errors = limitErrors(params.documentAST as DocumentNode)
      if (errors.length > 0) setResult(errors)
    },
  }
}

/**
 * Parses a document within the limits. Throws GraphQLError, also when it nests so deep that the parser runs out of
 * stack.
 */
function parseWithin(source: string): DocumentNode {
  if (source.length > CHARACTERS_MAX)
    throw limitError('QUERY_TOO_LONG', 'The number of characters', source.length, CHARACTERS_MAX)
  if (source.split(/\r\n|[\n\r]/, LINES_MAX + 1).length > LINES_MAX)
    throw limitError('QUERY_TOO_LONG', 'The number of lines', LINES_MAX + 1, LINES_MAX)
  try {
    return parse(source, { maxTokens: TOKENS_MAX })
  } catch (error) {
    if (error instanceof RangeError)
      throw new GraphQLError('The document nests too deep', {
        extensions: { code: 'QUERY_TOO_DEEP', limit: DEPTH_MAX },
      })
    if (!(error instanceof GraphQLError) || !/Document contains more tha[nt] \d+ tokens/.test(error.message))
      throw error
    throw limitError('QUERY_TOO_LONG', 'The number of tokens', TOKENS_MAX + 1, TOKENS_MAX)
  }
}

interface Figures {
  readonly depth: number
  readonly aliases: number
  readonly directives: number
}

/** The errors of a document's operations, each measured with all fragments that it reaches. */
function limitErrors(document: DocumentNode): GraphQLError[] {
  const figures = document.definitions
    .filter((one) => one.kind === Kind.OPERATION_DEFINITION)
    .map(measureWith(document))
  const most = (name: keyof Figures): number => Math.max(0, ...figures.map((one) => one[name]))
  const checks = [
    ['QUERY_TOO_DEEP', 'The depth', most('depth'), DEPTH_MAX],
    ['TOO_MANY_ALIASES', 'The number of aliases', most('aliases'), ALIASES_MAX],
    ['TOO_MANY_DIRECTIVES', 'The number of directives', most('directives'), DIRECTIVES_MAX],
  ] as const
  return checks
    .filter(([, , figure, limit]) => figure > limit)
    .map(([code, what, figure, limit]) => limitError(code, what, figure, limit))
}

function measureWith(document: DocumentNode): (operation: OperationDefinitionNode) => Figures {
  const fragments = fragmentsOf(document)
  // A fragment is measured once. While it is being measured it counts as empty, since a validation rule refuses cycles.
  const measured = new Map<string, Figures>()
  const empty: Figures = { depth: 0, aliases: 0, directives: 0 }

  const ofFragment = (name: string): Figures => {
    const figuresOfName = measured.get(name)
    const fragment = fragments.get(name)
    if (figuresOfName || !fragment) return figuresOfName ?? empty
    measured.set(name, empty)
    const figures = ofSelections(fragment.selectionSet, fragment.directives?.length ?? 0)
    measured.set(name, figures)
    return figures
  }

  const within = (selection: SelectionSetNode['selections'][number]): Figures => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return ofFragment(selection.name.value)
    return selection.selectionSet ? ofSelections(selection.selectionSet, 0) : empty
  }

  const ofSelections = ({ selections }: SelectionSetNode, own: number): Figures => {
    let [depth, aliases, directives] = [0, 0, own]
    for (const selection of selections) {
      const here = selection.directives?.length ?? 0
      const isField = selection.kind === Kind.FIELD
      const inner = within(selection)
      depth = Math.max(depth, inner.depth + (isField ? 1 : 0))
      // Fragments in fragments multiply; a number above all limits need not be exact.
      aliases = Math.min(aliases + inner.aliases + (isField && selection.alias ? 1 : 0), Number.MAX_SAFE_INTEGER)
      directives = Math.min(directives + inner.directives + here, Number.MAX_SAFE_INTEGER)
    }
    return { depth, aliases, directives }
  }

  return ({ selectionSet, directives, variableDefinitions }) => {
    const onVariables = (variableDefinitions ?? []).reduce(
      (sum, variable) => sum + (variable.directives?.length ?? 0),
      0,
    )
    return ofSelections(selectionSet, (directives?.length ?? 0) + onVariables)
  }
}
