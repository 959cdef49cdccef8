/** Invalid tokens and challenges (RFC 6750): why a token is rejected, in words that reveal nothing of the token. */
import { errors } from 'jose'
import { DomainError } from '../domain/input/errors.ts'

/**
 * Rejection of a token. WWW-Authenticate, the error for the client and the log line give the same reason
 * (token.refusal-says-why).
 */
export class InvalidToken extends DomainError {
  constructor(
    readonly reason: string,
    /** Where to get a token; only the error for the client says it. */
    source?: string,
  ) {
    super('unauthenticated', source === undefined ? reason : `${reason}: ${source}`)
  }
}

/** The rejection of a request without a token; `source` says where to get one. */
export function noToken(source: string): DomainError {
  return new DomainError('unauthenticated', `A valid bearer token is needed: ${source}`)
}

/** The value of WWW-Authenticate. Without a token in the request it is only the scheme (RFC 6750, section 3.1). */
export function challengeOf(error: DomainError): string {
  return error instanceof InvalidToken ? `Bearer error="invalid_token", error_description="${error.reason}"` : 'Bearer'
}

/** The sentence for a wrong signature, key or algorithm. */
export const SIGNATURE = 'The signature of the token is not one that this server accepts'

/** Rejection of a token whose claim `name` is missing or invalid. */
export function badClaim(name: string): InvalidToken {
  return new InvalidToken(`The claim ${name} of the token is missing or not valid`)
}

/**
 * The rejection for an error of jose; null for an error with another cause, such as a key set that can't be fetched.
 */
export function problemOf(error: unknown): InvalidToken | null {
  if (error instanceof errors.JWTExpired) return new InvalidToken('The token has expired')
  if (error instanceof errors.JWTClaimValidationFailed) return claimProblem(error)
  if (error instanceof errors.JWTInvalid) return new InvalidToken('The claims of the token are not a JSON object')
  if (error instanceof errors.JWSInvalid) return new InvalidToken('The token is not a JSON Web Token with a signature')
  return signatureErrors.some((kind) => error instanceof kind) ? new InvalidToken(SIGNATURE) : null
}

const signatureErrors = [
  errors.JWSSignatureVerificationFailed,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
]

/** Claims are checked after the signature, so only the owner of the key can cause these sentences. */
function claimProblem({ claim, reason }: errors.JWTClaimValidationFailed): InvalidToken {
  if (claim === 'nbf' && reason === 'check_failed') return new InvalidToken('The token is not valid yet')
  if (claim === 'iss') return new InvalidToken('The issuer of the token is not the one that this server accepts')
  if (claim === 'aud') return new InvalidToken('The audience of the token is not this server')
  return badClaim(claim)
}
