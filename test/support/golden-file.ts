import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'vitest'

/** Holds `answer` to the JSON kept in `file`. A missing file is written, and then the test fails: read it before you keep it. */
export function expectGoldenFile(file: URL, answer: unknown): void {
  if (!existsSync(file)) {
    writeFileSync(file, `${JSON.stringify(answer, null, 2)}\n`)
    expect.fail(`${file.pathname} did not exist and was written: read it, then run again`)
  }
  // As text, so that the order of members counts.
  expect(`${JSON.stringify(answer, null, 2)}\n`).toBe(readFileSync(file, 'utf8'))
}
