import { expect, it } from 'vitest'
import { Doorkeeper } from '../../src/response-cache/doorkeeper.ts'

it('the doorkeeper knows a key at its second request, until twice the size of other keys were added', () => {
  const keys = new Doorkeeper(2)
  expect(['a', 'a', 'b', 'a'].map((key) => keys.add(key))).toEqual([false, true, false, true])
  expect(['c', 'a'].map((key) => keys.add(key))).toEqual([false, true])
  expect(['d', 'e', 'c'].map((key) => keys.add(key))).toEqual([false, false, false])
})
