/** RFC 6750 challenges: why a token that was given is not accepted, in words that hold nothing of the token. */
import { errors } from 'jose'
import { DomainError } from '../domain/input/errors.ts'

/** The sentence is the same in WWW-Authenticate, in the error that a client reads and in the log line. */
export class InvalidToken extends DomainError {
  constructor(sentence: string) {
    super('unauthenticated', sentence)
  }
}

/** The value of WWW-Authenticate: a request without a token is only told the scheme (RFC 6750, section 3.1). */
export function challengeOf(error: DomainError): string {
  return error instanceof InvalidToken ? `Bearer error="invalid_token", error_description="${error.message}"` : 'Bearer'
}

export const SIGNATURE = 'The signature of the token is not one that this server accepts'

export function badClaim(name: string): InvalidToken {
  return new InvalidToken(`The claim ${name} of the token is missing or not valid`)
}

/** What of a token jose refused; null for an error that is not the token's, such as a key set that can't be fetched. */
export function problemOf(error: unknown): InvalidToken | null {
  if (error instanceof errors.JWTExpired) return new InvalidToken('The token has expired')
  if (error instanceof errors.JWTClaimValidationFailed) return claimProblem(error)
  if (error instanceof errors.JWTInvalid) return new InvalidToken('The claims of the token are not a JSON object')
  if (error instanceof errors.JWSInvalid) return new InvalidToken('The token is not a JSON Web Token with a signature')
  return ofSignature.some((kind) => error instanceof kind) ? new InvalidToken(SIGNATURE) : null
}

const ofSignature = [
  errors.JWSSignatureVerificationFailed,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
]

/** Claims are looked at after the signature, so these are told of tokens that the key's owner made. */
function claimProblem({ claim, reason }: errors.JWTClaimValidationFailed): InvalidToken {
  if (claim === 'nbf' && reason === 'check_failed') return new InvalidToken('The token is not valid yet')
  if (claim === 'iss') return new InvalidToken('The issuer of the token is not the one that this server accepts')
  if (claim === 'aud') return new InvalidToken('The audience of the token is not this server')
  return badClaim(claim)
}
