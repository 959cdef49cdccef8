/** A query with its states: its result, or that it is loading or has failed; and its place in the menu of queries. */
import type { CombinedError, DocumentInput } from '@urql/core'
import type { ComponentChildren, JSX } from 'preact'
import { firstPage, Link, useAddress } from './address.tsx'
import { type Result, useGraph } from './graph.ts'
import { useListed } from './graphiql-menu.tsx'
import { useSession } from './session.tsx'

interface AskProps<Data, Variables extends Record<string, unknown>> {
  readonly query: DocumentInput<Data, Variables>
  readonly variables: Variables
  /** What the menu of the page's queries calls it, such as `products`; absent: it is not listed. */
  readonly link?: string
  readonly children: (data: Data) => ComponentChildren
}

export function Ask<Data, Variables extends Record<string, unknown>>(props: AskProps<Data, Variables>): JSX.Element {
  return <Answer {...props} result={useGraph(props.query, props.variables)} />
}

interface AnswerProps<Data, Variables extends Record<string, unknown>> extends AskProps<Data, Variables> {
  readonly result: Result<Data>
}

/** As Ask, for a result that its view has read itself. */
export function Answer<Data, Variables extends Record<string, unknown>>(
  props: AnswerProps<Data, Variables>,
): JSX.Element {
  const { query, variables, link, result, children } = props
  const { data, error, fetching, repeat } = result
  useListed(link, query, variables)
  if (error) return <Failure error={error} repeat={repeat} />
  if (!data) return <p class="soft loading">Loading…</p>
  return <div aria-busy={fetching}>{children(data)}</div>
}

const EXPIRED = 'This token is no longer valid.'

export const isExpired = (error: CombinedError | undefined): boolean => error?.response?.status === 401

/** What an error says to the reader. */
export function messageOf(error: CombinedError): string {
  if (isExpired(error)) return EXPIRED
  return error.networkError
    ? 'The server does not respond.'
    : error.graphQLErrors.map(({ message }) => message).join(' ')
}

/** What has failed, and how to go on. */
export function Failure({
  error,
  repeat,
}: {
  readonly error: CombinedError
  readonly repeat: () => void
}): JSX.Element {
  const { after, before } = useAddress().address
  if (isExpired(error)) return <Expired />
  return (
    <div class="failed" role="alert">
      <p>{messageOf(error)}</p>
      <button type="button" onClick={repeat}>
        Try again
      </button>
      {(after || before) && <Link to={firstPage}>First page</Link>}
    </div>
  )
}

/** Says that the token is no longer valid, and leads to another one. */
export function Expired(): JSX.Element {
  const { label, act } = useSession().renew
  return (
    <div class="failed" role="alert">
      <p>{EXPIRED}</p>
      <button type="button" onClick={act}>
        {label}
      </button>
    </div>
  )
}
