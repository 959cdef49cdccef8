/** Console: clients warn there of what a cache cannot do. */
import { afterEach, beforeEach, expect, vi } from 'vitest'

/** Fails the tests of a file that leave a warning or an error. */
export function expectNoWarnings(): void {
  beforeEach(() => {
    vi.spyOn(console, 'warn')
    vi.spyOn(console, 'error')
  })
  afterEach(() => {
    const printed = [...vi.mocked(console.warn).mock.calls, ...vi.mocked(console.error).mock.calls]
    vi.restoreAllMocks()
    expect(printed).toEqual([])
  })
}
