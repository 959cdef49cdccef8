import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { TURN_MS, Turns } from '../../src/persistence/turns.ts'

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function gate() {
  let open!: () => void
  let fail!: (error: Error) => void
  const passed = new Promise<void>((resolve, reject) => {
    open = resolve
    fail = reject
  })
  return { open, fail, passed }
}

describe('turns', () => {
  it('of one key come one after another, in the order of asking, and answer what their work does', async () => {
    const turns = new Turns()
    const gates = [gate(), gate(), gate()]
    const begun: number[] = []
    const asked = gates.map(({ passed }, number) =>
      turns.take('a', async () => {
        begun.push(number)
        await passed
        return number
      }),
    )
    for (const [number, { open }] of gates.entries()) {
      await settled()
      expect(begun).toEqual([0, 1, 2].slice(0, number + 1))
      open()
    }
    expect(await Promise.all(asked)).toEqual([0, 1, 2])
  })

  it('of other keys do not wait', async () => {
    const turns = new Turns()
    const held = gate()
    const first = turns.take('a', () => held.passed)
    expect(await turns.take('b', async () => 'b')).toBe('b')
    held.open()
    await first
  })

  it('are over for who waits two seconds after they began, be their work never done', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const turns = new Turns()
    const held = gate()
    const begun: number[] = []
    const first = turns.take('a', () => held.passed)
    const others = [1, 2].map((number) => turns.take('a', async () => void begun.push(number)))
    await vi.advanceTimersByTimeAsync(TURN_MS - 1)
    expect(begun).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    await Promise.all(others)
    expect(begun).toEqual([1, 2])
    expect(await turns.take('a', async () => 3)).toBe(3)
    held.open()
    await first
    expect(vi.getTimerCount()).toBe(0)
  })

  it('go on after work that fails, and only its asker is told', async () => {
    const turns = new Turns()
    const held = gate()
    const first = turns.take('a', () => held.passed)
    const second = turns.take('a', async () => 2)
    held.fail(new Error('no'))
    await expect(first).rejects.toThrow('no')
    expect(await second).toBe(2)
    expect(await turns.take('a', async () => 3)).toBe(3)
  })
})
