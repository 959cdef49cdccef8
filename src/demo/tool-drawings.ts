/** Drawings of what brews coffee: grinders, brewers, a machine, kettles. */
import { area, bean, ellipse, line, rect, shadow } from './drawing.ts'

const STEEL = '#c9d1d3'
const SHADE = '#98a4a8'
const DARK = '#39434a'
const WOOD = '#a56a3c'
const GLASS = '#cfe6ea'
const COFFEE = '#5a3523'
const CREAM = '#f7eddc'

export const tools = {
  handGrinder:
    shadow(56) +
    line('M80 42V30H112', DARK, 6) +
    ellipse(114, 30, 16, 16, WOOD) +
    area('M62 42H98L96 54H64Z', DARK) +
    rect(62, 54, 36, 46, STEEL, 4) +
    rect(62, 54, 11, 46, SHADE, 4) +
    rect(60, 98, 40, 40, WOOD, 6) +
    line('M66 108H94M66 118H94M66 128H94', '#8a5630', 2),
  homeGrinder:
    shadow(84) +
    area('M56 26H104L96 60H64Z', GLASS) +
    bean(74, 46, COFFEE, 20) +
    bean(87, 44, COFFEE, 80) +
    rect(52, 22, 56, 7, DARK, 3) +
    rect(48, 58, 64, 80, CREAM, 10) +
    rect(48, 58, 64, 14, '#e2d3b8', 7) +
    ellipse(80, 85, 16, 16, DARK) +
    line('M80 85V79', '#fff', 3) +
    rect(60, 104, 40, 34, DARK, 4) +
    rect(68, 112, 24, 26, STEEL, 3),
  doseGrinder:
    shadow(84) +
    ellipse(80, 34, 44, 12, DARK) +
    area('M60 34H100L92 54H68Z', STEEL) +
    rect(54, 52, 52, 44, DARK, 12) +
    ellipse(80, 74, 28, 28, STEEL) +
    ellipse(80, 74, 16, 16, SHADE) +
    line('M80 96V106', DARK, 12) +
    rect(92, 90, 12, 40, DARK) +
    rect(66, 112, 24, 20, STEEL, 3) +
    rect(46, 130, 68, 8, DARK, 4),
  dripper:
    shadow(72) +
    area('M34 50H126L96 112H64Z', '#fff8ee') +
    line('M50 56 72 106M66 56 76 106M94 56 84 106M110 56 88 106', '#e0d2bd', 3) +
    rect(30, 44, 100, 10, CREAM, 5) +
    line('M120 62C142 60 142 88 112 88', '#fff8ee', 7) +
    rect(44, 110, 72, 8, '#e7d9c3', 4) +
    line('M80 120V136', COFFEE, 4),
  carafe:
    shadow(80) +
    area(
      'M66 26H94V54C112 68 120 88 120 112 120 132 112 138 104 138H56C48 138 40 132 40 112 40 88 48 68 66 54Z',
      GLASS,
    ) +
    area('M42 100H118C122 128 114 134 103 134H57C46 134 38 128 42 100Z', COFFEE) +
    rect(60, 44, 40, 18, WOOD, 5) +
    line('M64 26H98', SHADE, 5) +
    line('M54 82C50 88 48 92 48 96', '#fff', 4),
  press:
    shadow(76) +
    line('M80 18V46', SHADE, 4) +
    ellipse(80, 20, 16, 14, DARK) +
    rect(46, 42, 60, 10, DARK, 5) +
    rect(50, 50, 52, 86, STEEL, 6) +
    rect(50, 50, 14, 86, SHADE, 6) +
    line('M102 66H120V112H102', DARK, 7) +
    area('M50 54 38 50 50 66Z', STEEL) +
    rect(46, 130, 60, 8, DARK, 4),
  airPress:
    shadow(62) +
    rect(62, 20, 36, 8, DARK, 4) +
    rect(68, 26, 24, 42, SHADE) +
    rect(62, 52, 36, 66, GLASS, 3) +
    rect(65, 78, 30, 38, COFFEE) +
    line('M90 62H95M90 72H95', DARK, 2) +
    rect(50, 112, 60, 8, DARK, 4) +
    rect(64, 120, 32, 18, DARK, 5),
  moka:
    shadow(72) +
    ellipse(80, 28, 10, 10, DARK) +
    area('M58 38H102L108 46H52Z', SHADE) +
    area('M52 46H108L98 84H62Z', STEEL) +
    area('M52 46H68L70 84H62Z', SHADE) +
    area('M52 48 40 44 56 62Z', STEEL) +
    line('M106 52H124L118 82', DARK, 8) +
    rect(58, 82, 44, 9, DARK, 2) +
    area('M62 91H98L108 138H52Z', STEEL) +
    area('M62 91H71L66 138H52Z', SHADE),
  machine:
    shadow(112) +
    rect(28, 34, 104, 28, STEEL, 8) +
    rect(28, 52, 40, 80, SHADE) +
    rect(28, 56, 104, 8, SHADE) +
    line('M92 64V76', '#c9953c', 18) +
    line('M92 84H122', DARK, 8) +
    line('M88 88V100M96 88V100', COFFEE, 3) +
    area('M80 106H104L101 126H83Z', '#fff8ee') +
    line('M126 62V102', '#c9953c', 4) +
    rect(24, 128, 112, 10, DARK, 4) +
    ellipse(48, 80, 20, 20, '#fff8ee') +
    line('M48 80 52 74', '#b3261e', 3) +
    rect(38, 40, 12, 8, DARK, 4) +
    ellipse(118, 47, 10, 10, '#c9953c'),
  gooseneck:
    shadow(88) +
    line('M48 120C24 118 40 74 22 58', DARK, 7) +
    area('M54 62H106L116 132Q116 138 110 138H50Q44 138 44 132Z', DARK) +
    area('M54 62H66L58 138H50Q44 138 44 132Z', '#2a3238') +
    ellipse(80, 62, 54, 10, '#56626a') +
    rect(73, 46, 14, 12, WOOD, 4) +
    line('M106 74C140 70 140 116 114 116', WOOD, 8),
  stoveKettle:
    shadow(100) +
    line('M50 66C54 26 106 26 110 66', WOOD, 8) +
    area('M42 100 22 74 30 68 54 88Z', CREAM) +
    area('M36 128C34 84 56 64 80 64S126 84 124 128Q124 138 114 138H46Q36 138 36 128Z', CREAM) +
    ellipse(80, 66, 44, 10, '#e0cfae') +
    ellipse(80, 58, 12, 12, DARK) +
    rect(36, 118, 88, 7, '#3f6f86'),
  siphon:
    shadow(76) +
    line('M112 30V134M112 60H92', WOOD, 7) +
    area('M52 26H100V48C100 62 90 66 80 68H72C62 66 52 62 52 48Z', GLASS) +
    area('M53 42H99C100 58 90 64 80 66H72C62 64 52 60 53 42Z', COFFEE) +
    rect(71, 66, 10, 14, SHADE) +
    ellipse(76, 100, 46, 44, GLASS) +
    area('M54 104H98C96 116 88 122 76 122S56 116 54 104Z', '#9fc9d6') +
    area('M76 122C82 130 82 134 76 134S70 130 76 122Z', '#e5862e') +
    rect(52, 132, 72, 6, WOOD, 3),
  coldBrew:
    shadow(56) +
    rect(66, 22, 28, 14, DARK, 4) +
    area('M68 36H92V54C104 62 104 72 104 80V128Q104 138 94 138H66Q56 138 56 128V80C56 72 56 62 68 54Z', GLASS) +
    area('M58 82H102V127Q102 136 94 136H66Q58 136 58 127Z', COFFEE) +
    rect(72, 54, 16, 66, '#8a9aa0') +
    line('M72 66H88M72 78H88M72 90H88M72 102H88', '#6d7c82', 2) +
    line('M63 74V112', '#fff8', 4),
} as const
