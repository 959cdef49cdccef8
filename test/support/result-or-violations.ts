import { DomainError, formatPath } from '../../src/domain/input/errors.ts'

/** What an operation answers; of an expected failure its kind and each violation as `path CODE`. Any other failure is thrown. */
export async function resultOrViolations<T>(work: Promise<T>): Promise<T | string[]> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return [error.kind, ...error.violations.map(({ code, path }) => `${formatPath(path)} ${code}`)]
  }
}
