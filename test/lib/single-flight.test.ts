import { describe, expect, it } from 'vitest'
import { SingleFlight } from '../../src/lib/single-flight.ts'

describe('single flight', () => {
  it('single flight gives overlapping calls with one key the same run, other keys runs of their own, and a later call a new one', async () => {
    const started: string[] = []
    const flights = new SingleFlight<string, number>()
    const call = (key: string) =>
      flights.run(key, async () => {
        const place = started.push(key)
        await new Promise(setImmediate)
        return place
      })
    expect(flights.get('a')).toBeUndefined()
    const [one, two, other] = [call('a'), call('a'), call('b')]
    expect([await flights.get('a'), await one, await two, await other]).toEqual([1, 1, 1, 2])
    expect(flights.get('a')).toBeUndefined()
    expect(await call('a')).toBe(3)
    expect(started).toEqual(['a', 'b', 'a'])
  })

  it('single flight fails all calls that share a run that fails, and runs again afterwards', async () => {
    const flights = new SingleFlight<string, string>()
    const failing = () => Promise.reject(new Error('away'))
    const calls = [flights.run('a', failing), flights.run('a', async () => 'never run')]
    expect(await Promise.allSettled(calls)).toEqual(
      calls.map(() => ({ status: 'rejected', reason: new Error('away') })),
    )
    expect(await flights.run('a', async () => 'back')).toBe('back')
  })
})
