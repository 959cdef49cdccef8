/** The chart of the README: requests a second at 10 connections, hot above spread, on a logarithmic scale. */
import { type Measured, ways } from './measure.ts'
import { cellOf, shown } from './report.ts'

const TITLE = 'Pages of 25 priced products a second, 10 connections, logarithmic scale'
const WIDTH = 760
const LABEL = 190
const BAR = 16
const ROW = 56
const colours = { hot: '#2f6f9f', spread: '#9fc3dc' }

/** An SVG of bars that reads on light and dark pages. */
export function chart(measured: readonly Measured[]): string {
  const most = Math.max(...measured.flatMap((one) => ways.map((way) => cellOf(one, way, 10).perSecond)))
  const scale = (value: number): number => (Math.log10(Math.max(1, value)) / Math.log10(most)) * (WIDTH - LABEL - 90)
  const height = 40 + measured.length * ROW
  const bars = measured.flatMap((one, row) =>
    ways.map((way, index) => {
      const { perSecond } = cellOf(one, way, 10)
      const y = 40 + row * ROW + index * (BAR + 4)
      const text = `${shown(perSecond)}/s ${way}`
      return `<rect x="${LABEL}" y="${y}" width="${scale(perSecond).toFixed(1)}" height="${BAR}" fill="${colours[way]}"/>
<text x="${(LABEL + scale(perSecond) + 6).toFixed(1)}" y="${y + 13}">${text}</text>`
    }),
  )
  const names = measured.map(
    (one, row) => `<text x="${LABEL - 10}" y="${40 + row * ROW + 23}" text-anchor="end">${one.name}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="13">
<title>${TITLE}</title>
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
<text x="12" y="22" font-size="14">${TITLE}</text>
${[...names, ...bars].join('\n')}
</svg>
`
}
