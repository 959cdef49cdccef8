import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { withTimeout } from '../../src/lib/with-timeout.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('a promise that settles in time decides, and no timer is left', async () => {
  vi.useFakeTimers()
  expect(await withTimeout(Promise.resolve('value'), 1_000, 'fallback')).toBe('value')
  await expect(withTimeout(Promise.reject(new Error('failed')), 1_000, 'fallback')).rejects.toThrow('failed')
  expect(vi.getTimerCount()).toBe(0)
})

test('after the timeout the fallback is returned, one millisecond earlier nothing', async () => {
  vi.useFakeTimers()
  let result: string | undefined
  void withTimeout(new Promise<string>(() => undefined), 1_000, 'fallback').then((value) => {
    result = value
  })
  await vi.advanceTimersByTimeAsync(999)
  expect(result).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  expect(result).toBe('fallback')
})

test('a promise that rejects after the timeout causes no unhandled rejection', async () => {
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  const late = pause(20).then(() => {
    throw new Error('too late')
  })
  expect(await withTimeout(late, 1, null)).toBe(null)
  await pause(40)
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})
