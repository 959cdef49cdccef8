/** Drawings of what goes with coffee: cups, small tools, clothes, cards, and sets of several things. */
import { bag } from './coffee-drawings.ts'
import { area, bean, ellipse, line, placed, rect, shadow, text } from './drawing.ts'
import { tools } from './tool-drawings.ts'

const STEEL = '#c9d1d3'
const SHADE = '#98a4a8'
const DARK = '#39434a'
const WOOD = '#a56a3c'
const CLAY = '#b9846a'
const COFFEE = '#5a3523'

/** A cup of stoneware. */
const cup =
  shadow(76) +
  line('M112 82C142 76 142 120 104 118', CLAY, 9) +
  area('M40 66H120C120 112 110 138 96 138H64C50 138 40 112 40 66Z', CLAY) +
  area('M40 66H120L119 84C100 92 60 76 41 84Z', '#e9d8c4') +
  ellipse(80, 66, 80, 16, '#e9d8c4') +
  ellipse(80, 67, 68, 11, COFFEE)

const espressoCup = ellipse(80, 136, 92, 10, '#d9bfa9') + placed(0.62, 0, 0, cup)

const ribbon =
  area('M76 92C58 70 54 92 76 96ZM84 92C102 70 106 92 84 96Z', '#c8352e') + ellipse(80, 94, 12, 10, '#a32720')

/** An open box, from which things stand out. */
const box = (...inside: readonly string[]): string =>
  shadow(120) +
  inside.join('') +
  rect(24, 92, 112, 46, '#c99b66', 3) +
  rect(24, 92, 112, 8, '#b58552') +
  rect(72, 92, 16, 46, '#c8352e') +
  ribbon

/** A shirt with a bean on it. */
export const shirt = (colour: string, ink: string): string =>
  area('M56 30 28 46 16 78 38 88 44 76V134H116V76L122 88 144 78 132 46 104 30C96 42 64 42 56 30Z', colour) +
  line('M56 30C64 44 96 44 104 30', ink, 3) +
  bean(80, 80, ink, 25)

export const giftCard = (colour: string, amount: string): string =>
  `<g transform="rotate(-6 80 84)">${rect(20, 46, 120, 78, colour, 9)}${rect(38, 46, 9, 78, '#fff6')}${line('M42 62C28 44 24 64 42 66 60 64 56 44 42 62', '#fff', 4)}${text(94, 98, 36, '#fff', amount)}</g>`

export const things = {
  cup,
  espressoCup,
  scale:
    shadow(112) +
    rect(40, 76, 80, 8, SHADE, 3) +
    rect(26, 84, 108, 46, DARK, 10) +
    rect(44, 96, 72, 24, '#10201d', 4) +
    text(80, 115, 19, '#7fe3cf', '18.0 g') +
    placed(0.42, 0, 62, cup),
  filters:
    shadow(84) +
    area('M38 42H122L94 134H66Z', '#e9dcc6') +
    area('M32 36H116L90 134H60Z', '#f6efe1') +
    line('M60 134H90', '#cdbd9f', 5) +
    line('M44 54H104', '#d8c9ad', 3) +
    text(74, 84, 24, '#8a7654', '100'),
  tamper:
    shadow(60) +
    ellipse(80, 44, 38, 34, WOOD) +
    area('M70 56H90L94 104H66Z', WOOD) +
    rect(64, 98, 32, 8, '#c9953c') +
    rect(52, 106, 56, 32, STEEL, 4) +
    rect(52, 106, 15, 32, SHADE, 4),
  jug:
    shadow(76) +
    line('M108 66C140 60 140 118 110 116', SHADE, 8) +
    area('M36 42H108L104 74C118 92 116 138 106 138H54C44 138 42 92 56 74Z', STEEL) +
    area('M36 42H56L58 138H54C44 138 42 92 56 74Z', SHADE) +
    ellipse(76, 46, 56, 10, '#fff'),
  canister:
    shadow(76) +
    ellipse(80, 28, 18, 12, DARK) +
    rect(44, 32, 72, 18, DARK, 6) +
    rect(48, 50, 64, 88, '#5c7f73', 6) +
    rect(48, 50, 16, 88, '#4a695f', 6) +
    ellipse(84, 92, 38, 38, '#f2ead8') +
    bean(84, 92, COFFEE, 25),
  brush: `<g transform="rotate(38 80 80)">${rect(72, 10, 16, 72, WOOD, 8)}${rect(66, 78, 28, 16, '#c9953c', 3)}${area('M66 94H94L99 142H61Z', '#3b2d26')}${line('M72 100 70 138M80 100V140M88 100 90 138', '#66534a', 2)}${ellipse(80, 20, 6, 6, '#fff8')}</g>`,
  thermometer:
    line('M80 86V146', SHADE, 7) +
    ellipse(80, 58, 84, 84, STEEL) +
    ellipse(80, 58, 70, 70, '#fffaf0') +
    line('M55 76A30 30 0 0 1 64 34', '#4f93c4', 6) +
    line('M74 30A30 30 0 0 1 102 40', '#4f9a62', 6) +
    line('M108 50A30 30 0 0 1 105 76', '#c8352e', 6) +
    line('M80 58 94 44', DARK, 4) +
    ellipse(80, 58, 10, 10, DARK),
  powder:
    shadow(72) +
    rect(52, 30, 56, 16, '#2f6f8f', 5) +
    rect(48, 44, 64, 94, '#f4f6f5', 8) +
    rect(48, 68, 64, 48, '#4f93b0') +
    area('M80 74C87 84 92 89 92 96A12 11 0 0 1 68 96C68 89 73 84 80 74Z', '#fff') +
    line('M98 56v8M94 60h8', '#4f93b0', 3),
  lesson:
    rect(18, 24, 124, 82, WOOD, 6) +
    rect(25, 31, 110, 68, '#2f4a41') +
    line('M50 50H82L74 70H58ZM52 78H80M66 70V74', '#f2efe2', 3) +
    line('M94 52H122M94 64H116M94 76H120', '#e3c66b', 3) +
    placed(0.36, 38, 0, cup) +
    line('M44 106 34 138M116 106 126 138', WOOD, 6),
  tumbler:
    shadow(58) +
    rect(54, 26, 52, 12, DARK, 5) +
    rect(84, 20, 14, 8, DARK, 3) +
    area('M56 38H104L97 132Q96 138 91 138H69Q64 138 63 132Z', '#c05f3c') +
    area('M56 38H67L71 138H69Q64 138 63 132Z', '#a34d2d') +
    line('M76 86C80 76 84 92 88 82S94 78 94 82M76 96H92', '#fff', 3),
  trio:
    shadow(130) +
    placed(0.62, -42, 0, bag('light', 'sun', '#d9485f')) +
    placed(0.62, 42, 0, bag('dark', 'leaf', '#3f5d45')) +
    placed(0.8, 0, 0, bag('medium', 'hills', '#b5713a')),
  pourOver: box(placed(0.58, -20, 36, tools.dripper), placed(0.6, 34, 30, bag('light', 'sun', '#e58a3c'))),
  barista: box(placed(0.66, -22, 34, tools.machine), placed(0.55, 40, 38, tools.homeGrinder)),
  fourCups:
    shadow(120) +
    placed(0.5, -32, 46, cup) +
    placed(0.5, 32, 46, cup) +
    placed(0.5, -32, 0, cup) +
    placed(0.5, 32, 0, cup),
  hamper:
    shadow(128) +
    line('M30 88C36 10 124 10 130 88', WOOD, 7) +
    placed(0.52, -30, 32, bag('medium', 'bean', '#7a3b2e')) +
    placed(0.6, 6, 36, tools.press) +
    placed(0.5, 36, 30, bag('light', 'sun', '#d9485f')) +
    area('M22 86H138L126 138H34Z', '#b98550') +
    line('M28 100H132M31 112H129M34 124H126', '#99683a', 3) +
    line('M48 88 52 136M66 88 68 136M94 88 92 136M112 88 108 136', '#99683a', 3) +
    rect(18, 82, 124, 9, '#99683a', 4),
} as const
