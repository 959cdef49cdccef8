/** Reads whole inputs, in REST's form or another one. */
import { isObject } from '../../lib/json-object.ts'
import { InputReader } from './input-reader.ts'
import { type PartialResult, Reading, type ReadingRule, type ReadResult, wholeResult } from './reading.ts'

/** An input in another form than REST's. Its own reader takes REST's names and gives REST's paths. */
export abstract class FormedInput {
  abstract reader(reading: Reading): InputReader
}

/**
 * Reads a whole input, which must be an object. Violations have paths relative to the input. `read` returns undefined
 * only when it has found one.
 */
export function readInput<T>(
  input: unknown,
  read: (reader: InputReader) => T | undefined,
  rule?: ReadingRule,
): ReadResult<T> {
  return wholeResult(readPartly(input, read, rule))
}

/** Reads an input as `readInput` does, and keeps its readable part and its violations. */
export function readPartly<T>(
  input: unknown,
  read: (reader: InputReader) => T | undefined,
  rule?: ReadingRule,
): PartialResult<T> {
  const reading = new Reading(rule)
  const { violations } = reading
  if (input instanceof FormedInput) return { value: read(input.reader(reading)), violations }
  if (isObject(input)) return { value: read(new InputReader(input, [], reading)), violations }
  if (input === undefined) violations.push({ code: 'REQUIRED', path: [], message: 'must be given' })
  else if (input === null) violations.push({ code: 'REQUIRED', path: [], message: 'must not be null' })
  else violations.push({ code: 'INVALID_TYPE', path: [], message: 'must be an object' })
  return { value: undefined, violations }
}
