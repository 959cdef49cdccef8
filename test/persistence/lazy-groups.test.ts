import { expect, test } from 'vitest'
import { lazyGroups } from '../../src/persistence/lazy-groups.ts'

function counting() {
  const made: string[] = []
  const first = (name: string) => {
    made.push(`first ${name}`)
    return { a: { name }, b: { name } }
  }
  const second = (name: string) => {
    made.push(`second ${name}`)
    return { c: { name } }
  }
  const create = lazyGroups<[string], ReturnType<typeof first> & ReturnType<typeof second>>([first, second])
  create('learning the names')
  made.length = 0
  return { made, create }
}

test('a group is made when one of its members is asked for, once per object, with that object’s parts', () => {
  const { made, create } = counting()
  const x = create('x')
  const y = create('y')
  expect(made).toEqual([])
  expect([x.b.name, x.a.name, y.b.name]).toEqual(['x', 'x', 'y'])
  expect(made).toEqual(['first x', 'first y'])
  expect(x.a).toBe(x.a)
  expect(x.c.name).toBe('x')
  expect(made).toEqual(['first x', 'first y', 'second x'])
})

test('what is forgotten is made anew, in that object alone', () => {
  const { create } = counting()
  const [x, y] = [create('x'), create('y')]
  const before = [x.a, y.a]
  x.forget()
  expect(x.a).not.toBe(before[0])
  expect(x.a.name).toBe('x')
  expect(y.a).toBe(before[1])
})
