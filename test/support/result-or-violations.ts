/** Results of operations for comparisons: a value or its violations. */
import { DomainError, formatPath } from '../../src/domain/input/errors.ts'

/**
 * The result of an operation; for a DomainError its kind and each violation as `path CODE`. Other errors are thrown.
 */
export async function resultOrViolations<T>(work: Promise<T>): Promise<T | string[]> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return [error.kind, ...error.violations.map(({ code, path }) => `${formatPath(path)} ${code}`)]
  }
}
