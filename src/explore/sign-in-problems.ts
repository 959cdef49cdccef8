/** What went wrong with a sign-in, and what to do next, in sentences for the reader. */
import {
  AuthorizationResponseError,
  JWT_TIMESTAMP_CHECK,
  OperationProcessingError,
  ResponseBodyError,
} from 'oauth4webapi'

/** The server does not know the provider's addresses. */
export const AWAY = 'The identity provider cannot be reached from the server. Reload this page to try again.'
export const NOT_SECURE =
  'A browser signs in on encrypted pages alone: open this page by an address that begins with https.'
export const NOT_BEGUN = 'This sign-in was not begun in this tab, or was completed before. Sign in again.'
const DENIED =
  'The identity provider gave no access: the sign-in was canceled, or the account may not use this application. ' +
  'Sign in again, or ask who manages accounts there.'
const CLOCK =
  'The clock of this computer and that of the identity provider differ by more than a minute. ' +
  'Set the clock, and sign in again.'
const UNREACHABLE =
  'This browser cannot reach the identity provider. Check the connection, and sign in again. If it stays so, the ' +
  'provider does not allow requests from the address of this page: who manages it adds the address to the client.'

/** The sentence for an error. Only what the provider itself says is repeated, never what was sent or given. */
export function sentenceOf(error: unknown): string {
  if (error instanceof AuthorizationResponseError)
    return error.error === 'access_denied' ? DENIED : refused('The identity provider refused the sign-in', error)
  if (error instanceof ResponseBodyError) return refused('The identity provider gave no token', error)
  if (error instanceof OperationProcessingError) {
    if (error.code === JWT_TIMESTAMP_CHECK) return CLOCK
    // The state, which is checked before anything else.
    if (error.message.includes('"state"')) return NOT_BEGUN
    return `The answer of the identity provider is not one to trust (${error.message}). Sign in again.`
  }
  return UNREACHABLE
}

interface Refusal {
  readonly error: string
  readonly error_description?: string | undefined
}

function refused(what: string, { error, error_description: description }: Refusal): string {
  const why = [error, description].filter(Boolean).join(': ').slice(0, 300)
  return `${what} (${why}). Sign in again; if it stays so, who manages the provider can tell why.`
}
