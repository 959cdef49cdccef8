/** The drawings of the demo's products by the ids of their files. */
import { bag, beans, type Motif, type Roast } from './coffee-drawings.ts'
import { drawing, placed } from './drawing.ts'
import { giftCard, shirt, things } from './thing-drawings.ts'
import { tools } from './tool-drawings.ts'

/** The grounds. */
const SAND = '#f3e6cf'
const LEAF = '#dcebd6'
const SEA = '#d5e8ea'
const DUSK = '#e6def0'
const STONE = '#e4eaeb'
const ROSE = '#f6dfd8'

/** Coffees by number: the ground of their region, their roast, the motif of their label and its colour. */
const coffees: Readonly<Record<number, readonly [ground: string, Roast, Motif, ink: string]>> = {
  1: [SAND, 'light', 'sun', '#e58a3c'],
  2: [SAND, 'light', 'sun', '#d9485f'],
  3: [SAND, 'light', 'sun', '#5b3a7d'],
  4: [SAND, 'medium', 'hills', '#c8352e'],
  5: [LEAF, 'medium', 'hills', '#c98a2b'],
  6: [LEAF, 'medium', 'hills', '#b5713a'],
  7: [LEAF, 'medium', 'leaf', '#7d8f3c'],
  8: [LEAF, 'light', 'hills', '#e0a41f'],
  9: [LEAF, 'medium', 'leaf', '#8e2f55'],
  10: [SEA, 'dark', 'leaf', '#3f6d4f'],
  11: [SEA, 'medium', 'drop', '#f0912b'],
  12: [DUSK, 'dark', 'moon', '#4b4a78'],
  13: [DUSK, 'medium', 'drop', '#d9743a'],
  14: [DUSK, 'medium', 'bean', '#7a3b2e'],
}

/** The house espresso by number: how large its bag is, and whether it is ground. */
const variants: Readonly<Record<number, readonly [size: number, isGround: boolean]>> = {
  15: [0.62, false],
  16: [0.62, true],
  17: [0.8, false],
  18: [0.8, true],
  19: [1, false],
  20: [1, true],
}

const OAT = shirt('#efe4cd', '#6b4a34')
const CHARCOAL = shirt('#454c52', '#e9dcc4')

/** Everything else by number. */
const others: Readonly<Record<number, readonly [ground: string, shapes: string]>> = {
  21: [SEA, tools.handGrinder],
  22: [ROSE, tools.homeGrinder],
  23: [STONE, tools.doseGrinder],
  24: [ROSE, tools.dripper],
  25: [SAND, tools.carafe],
  26: [SEA, tools.press],
  27: [LEAF, tools.airPress],
  28: [SAND, tools.moka],
  29: [SEA, tools.machine],
  30: [ROSE, tools.gooseneck],
  31: [SEA, tools.stoveKettle],
  32: [SAND, things.scale],
  33: [LEAF, things.filters],
  34: [STONE, things.tamper],
  35: [ROSE, things.jug],
  36: [SEA, things.cup],
  37: [STONE, things.espressoCup],
  38: [SAND, things.canister],
  39: [LEAF, things.brush],
  40: [DUSK, things.thermometer],
  41: [LEAF, tools.coldBrew],
  42: [ROSE, things.powder],
  43: [SAND, things.lesson],
  44: [SEA, things.tumbler],
  45: [DUSK, tools.siphon],
  46: [LEAF, placed(0.72, -22, 30, CHARCOAL) + placed(0.72, 22, 4, OAT)],
  47: [LEAF, OAT],
  48: [LEAF, CHARCOAL],
  49: [LEAF, OAT],
  50: [LEAF, CHARCOAL],
  51: [LEAF, OAT],
  52: [LEAF, CHARCOAL],
  53: [SAND, giftCard('#3f7f72', '25')],
  54: [ROSE, giftCard('#b0563a', '50')],
  55: [DUSK, giftCard('#5b4a86', '100')],
  56: [ROSE, things.trio],
  57: [LEAF, things.pourOver],
  58: [SEA, things.barista],
  59: [SAND, things.fourCups],
  60: [ROSE, things.hamper],
}

/** The id of a file in prisma/demo.jsonl: its number is that of its product, of the picture of beans 100 more. */
export const fileId = (number: string | number): string => `c0ffee00-000e-4000-8000-${String(number).padStart(12, '0')}`

/** The drawings by the ids of their files. */
export function demoDrawings(): Map<string, string> {
  const numbered = [
    ...Object.entries(coffees).flatMap(([number, [ground, roast, motif, ink]]) => [
      [number, drawing(ground, bag(roast, motif, ink))] as const,
      [100 + Number(number), drawing(ground, beans(roast))] as const,
    ]),
    ...Object.entries(variants).map(
      ([number, [size, isGround]]) =>
        [number, drawing(DUSK, placed(size, 0, 0, bag('medium', isGround ? 'grounds' : 'bean', '#7a3b2e')))] as const,
    ),
    ...Object.entries(others).map(([number, [ground, shapes]]) => [number, drawing(ground, shapes)] as const),
  ]
  return new Map(numbered.map(([number, svg]) => [fileId(number), svg]))
}
