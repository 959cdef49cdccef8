/** Drawings of coffee: a bag in the colour of its roast with a label for its origin, and beans in a bowl. */
import { area, bean, ellipse, line, rect, shadow } from './drawing.ts'

/** The colours of roasts: of the bag, and of its folded top. */
const roasts = {
  light: ['#c4925c', '#a8794a'],
  medium: ['#8b5a36', '#724727'],
  dark: ['#47302a', '#33211d'],
} as const

export type Roast = keyof typeof roasts

/** What a label shows. */
const motifs = {
  sun: (ink: string) =>
    ellipse(80, 91, 18, 18, ink) +
    line('M80 74v3M80 105v3M63 91h3M94 91h3M68 79l2 2M90 101l2 2M92 79l-2 2M70 101l-2 2', ink, 2.5),
  hills: (ink: string) => area('M60 105 74 80 83 94 88 87 100 105Z', ink) + ellipse(92, 79, 8, 8, ink),
  leaf: (ink: string) =>
    area('M64 104C62 80 78 74 98 76 98 96 86 108 64 104Z', ink) + line('M67 102 88 85', '#fbf4e6', 2),
  moon: (ink: string) => area('M86 74A17 17 0 1 0 97 99 14 14 0 0 1 86 74Z', ink),
  drop: (ink: string) => area('M80 73C88 84 94 90 94 97A14 12 0 0 1 66 97C66 90 72 84 80 73Z', ink),
  bean: (ink: string) => bean(80, 91, ink, 25),
  grounds: (ink: string) =>
    area('M62 104C68 94 74 84 80 84S92 94 98 104Z', ink) + line('M70 80v0M80 76v0M90 80v0', ink, 3),
} as const

export type Motif = keyof typeof motifs

/** A bag, whose label has `motif` in the colour `ink`. */
export function bag(roast: Roast, motif: Motif, ink: string): string {
  const [body, fold] = roasts[roast]
  return (
    shadow(86) +
    area('M47 44H113L117 133Q117 138 112 138H48Q43 138 43 133Z', body) +
    area('M47 44H60L57 138H48Q43 138 43 133Z', fold) +
    rect(45, 26, 70, 20, fold, 3) +
    rect(42, 33, 76, 6, '#e8dcc4', 3) +
    rect(57, 62, 46, 60, '#fbf4e6', 4) +
    motifs[motif](ink) +
    line('M65 113h30', ink, 3)
  )
}

/** A bowl of beans. */
export function beans(roast: Roast): string {
  const [light, dark] = roasts[roast]
  const heap = [52, 68, 84, 100, 58, 76, 94, 110, 68, 86].map((x, at) =>
    bean(x, at < 4 ? 84 : at < 8 ? 73 : 62, at % 3 === 1 ? dark : light, (at * 47) % 180),
  )
  return (
    shadow(84) +
    heap.join('') +
    area('M32 84H128C128 118 108 138 80 138S32 118 32 84Z', '#f7f3ea') +
    rect(30, 82, 100, 8, '#e2dac8', 4)
  )
}
