import { expect, test } from 'vitest'
import { lazyMembers } from '../../src/persistence/lazy-members.ts'

function counting() {
  const made: string[] = []
  const heard: string[] = []
  const make = (member: string) => (name: string) => {
    made.push(`${member} of ${name}`)
    return { name }
  }
  const create = lazyMembers<[string], { a: ReturnType<typeof make>; b: ReturnType<typeof make> }>(
    { a: make('a'), b: make('b') },
    (member, [name]) => heard.push(`${member} of ${name}`),
  )
  return { made, heard, create }
}

test('a member is made when it is asked for, once per object, with that object’s parts', () => {
  const { made, heard, create } = counting()
  const x = create('x')
  const y = create('y')
  expect(made).toEqual([])
  expect([x.b.name, x.a.name, y.b.name]).toEqual(['x', 'x', 'y'])
  expect(made).toEqual(['b of x', 'a of x', 'b of y'])
  expect(x.a).toBe(x.a)
  expect(made).toHaveLength(3)
  expect(heard).toEqual(['b of x', 'a of x', 'b of y', 'a of x', 'a of x'])
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
