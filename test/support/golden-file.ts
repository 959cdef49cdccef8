/** Golden files: expected values stored as JSON. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'vitest'

/**
 * Expects a value to equal the JSON in `file`. A missing file is written and fails the test, so that it is reviewed
 * first.
 */
export function expectGoldenFile(file: URL, value: unknown): void {
  if (!existsSync(file)) {
    writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
    expect.fail(`${file.pathname} did not exist and was written: read it, then run again`)
  }
  // Compared as text, so that the order of members counts.
  expect(`${JSON.stringify(value, null, 2)}\n`).toBe(readFileSync(file, 'utf8'))
}
