import { describe, expect, it } from 'vitest'
import { Present, PresentByKey } from '../src/present.ts'

const item = (name: string) => ({ name })
const names = (present: Present<{ name: string }>) => present.all().map(({ name }) => name)

describe('what is present', () => {
  it('is told in the order of coming, whoever leaves first', () => {
    const present = new Present<{ name: string }>()
    const leave = ['a', 'b', 'c', 'd'].map((name) => present.add(item(name)))
    expect(names(present)).toEqual(['a', 'b', 'c', 'd'])
    leave[1]?.()
    expect(names(present)).toEqual(['a', 'c', 'd'])
    leave[3]?.()
    leave[0]?.()
    present.add(item('e'))
    expect(names(present)).toEqual(['c', 'e'])
    expect(present.size).toBe(2)
  })

  it('leaves once', () => {
    const present = new Present<{ name: string }>()
    const leave = present.add(item('a'))
    present.add(item('b'))
    leave()
    leave()
    expect(names(present)).toEqual(['b'])
    expect(present.size).toBe(1)
  })

  it('is nothing again when all have left', () => {
    const present = new Present<{ name: string }>()
    for (const leave of ['a', 'b'].map((name) => present.add(item(name)))) leave()
    expect(names(present)).toEqual([])
    expect(present.size).toBe(0)
    present.add(item('c'))
    expect(names(present)).toEqual(['c'])
  })
})

describe('what is present by key', () => {
  it('is the latest, until that ends', () => {
    const present = new PresentByKey<{ name: string }>()
    const [first, second] = [item('first'), item('second')]
    present.set('a', first)
    present.set('a', second)
    present.end('a', first)
    expect(present.get('a')).toBe(second)
    present.end('a', second)
    expect(present.get('a')).toBeUndefined()
  })

  it('is remembered under at most a thousand keys', () => {
    const present = new PresentByKey<{ name: string }>()
    for (let number = 0; number < 1_000; number++) present.set(`${number}`, item(`${number}`))
    expect(present.get('0')?.name).toBe('0')
    present.set('999', item('again'))
    expect(present.get('0')?.name).toBe('0')
    present.set('1000', item('1000'))
    expect(present.get('0')).toBeUndefined()
    expect(present.get('1000')?.name).toBe('1000')
  })

  it.each([
    [256, 'is remembered', undefined],
    [257, 'goes', 'first'],
  ])('under a key of %i characters %s with what was there: others do not have to make room', (length, _, kept) => {
    const present = new PresentByKey<{ name: string }>()
    present.set('a', item('first'))
    for (let number = 0; number < 1_000; number++) {
      const [key, one] = [`${number}`.padEnd(length, 'x'), item('one')]
      present.set(key, one)
      present.end(key, one)
      expect(present.get(key)).toBeUndefined()
    }
    expect(present.get('a')?.name).toBe(kept)
  })
})
