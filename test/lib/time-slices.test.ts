import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ACCEPTED_MAX, SLICE_MS, TimeSlices, type Waiter } from '../../src/lib/time-slices.ts'

const light = (order: number): Waiter => ({ isHeavy: false, order })
const heavy = (order: number): Waiter => ({ isHeavy: true, order })

function busy(milliseconds: number): void {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}

test('work goes on at once until its time slice is used up, then in a later turn of the event loop', async () => {
  const slices = new TimeSlices()
  expect(slices.turn(light(0))).toBeUndefined()
  busy(SLICE_MS + 1)
  let turned = false
  setImmediate(() => {
    turned = true
  })
  const wait = slices.turn(light(0))
  expect(wait).toBeInstanceOf(Promise)
  await wait
  expect(turned).toBe(true)
})

test('waiting requests that each work for a slice are resumed in different turns of the event loop', async () => {
  const slices = new TimeSlices()
  slices.turn(light(0))
  busy(SLICE_MS + 1)
  let turns = 0
  let done = 0
  const count = async (): Promise<void> => {
    while (done < 10) {
      await nextTurn()
      turns++
    }
  }
  const work = async (order: number): Promise<void> => {
    await slices.turn(light(order))
    // The work of a page begins some microtasks after its turn.
    for (let hop = 0; hop < 10; hop++) await undefined
    busy(SLICE_MS + 1)
    done++
  }
  await Promise.all([...Array.from({ length: 10 }, (_, order) => work(order)), count()])
  expect(turns).toBeGreaterThanOrEqual(10)
})

test('of each kind of request the earliest goes first, and slices alternate between both kinds', async () => {
  const slices = new TimeSlices()
  slices.turn(light(0))
  busy(SLICE_MS + 1)
  const order: string[] = []
  const work = async (name: string, waiter: Waiter): Promise<void> => {
    await slices.turn(waiter)
    order.push(name)
    busy(SLICE_MS + 1)
  }
  await Promise.all([
    work('heavy 1', heavy(1)),
    work('light 9', light(9)),
    work('heavy 0', heavy(0)),
    work('light 2', light(2)),
    work('light 5', light(5)),
  ])
  expect(order.filter((name) => name.startsWith('light'))).toEqual(['light 2', 'light 5', 'light 9'])
  expect(order.filter((name) => name.startsWith('heavy'))).toEqual(['heavy 0', 'heavy 1'])
  // Neither kind has two slices in a row while the other waits.
  expect(order.slice(0, 4).map((name) => name.split(' ')[0])).toEqual(
    order[0]?.startsWith('heavy') ? ['heavy', 'light', 'heavy', 'light'] : ['light', 'heavy', 'light', 'heavy'],
  )
})

test('work that follows an accepted connection waits for a turn of the event loop, which accepts the next one', async () => {
  const slices = new TimeSlices()
  slices.accept()
  expect(slices.turn(light(0))).toBeInstanceOf(Promise)
  await nextTurn()
  await nextTurn()
  expect(slices.turn(light(1))).toBeUndefined()
})

test.each([
  [1, 3],
  [ACCEPTED_MAX, ACCEPTED_MAX + 2],
  [10 * ACCEPTED_MAX, ACCEPTED_MAX + 2],
])(
  'behind %i connections that are accepted in a row, work waits for about as many turns and no more than 52',
  async (connections, most) => {
    const slices = new TimeSlices()
    slices.accept()
    let resumed = false
    void slices.turn(light(0))?.then(() => {
      resumed = true
    })
    let turns = 0
    for (; !resumed; turns++) {
      if (turns < connections - 1) slices.accept()
      await nextTurn()
    }
    expect(turns).toBeGreaterThanOrEqual(Math.min(connections, ACCEPTED_MAX))
    expect(turns).toBeLessThanOrEqual(most)
  },
)
