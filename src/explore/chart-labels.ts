/** Names in a chart: each whole, within the chart, and none over another. */
import type UPlot from 'uplot'

/** A name at its place. */
export interface Label {
  /** What it names: a band, whose names stand at the bottom, or an instant, whose name stands at the top. */
  readonly of: string
  readonly text: string
  /** Pixels from the left, where what it names begins. */
  readonly left: number
}

interface Box {
  readonly left: number
  readonly right: number
  /** Pixels of its far side from the bottom, or from the top of names of instants. */
  readonly inside: number
}

/** Pixels between a line and the name beside it. */
const GAP = 4

/**
 * Writes the names in front of the chart, each where it has room, higher ones above those that it would cover. A name
 * for which the chart is too small is left out: the table below the chart has it, and its band as a title.
 */
export function writeLabels({ over }: UPlot, labels: readonly Label[]): void {
  const place = over.querySelector('.labels') ?? over.appendChild(document.createElement('div'))
  place.className = 'labels'
  const elements = labels.map(({ of, text }) =>
    Object.assign(document.createElement('span'), { className: `${of}-name`, textContent: text }),
  )
  place.replaceChildren(...elements)
  const { clientWidth: width, clientHeight: height } = over
  const [bands, instants]: [Box[], Box[]] = [[], []]
  const lines = labels.filter(({ of }) => of !== 'band').length
  for (const [at, element] of elements.entries()) {
    const { of = '', left: wanted = 0 } = labels[at] ?? {}
    const { offsetWidth, offsetHeight } = element
    const isInstant = of !== 'band'
    // Beside its line, before it where the right side has no room.
    const beside =
      isInstant && wanted + GAP + offsetWidth > width ? wanted - GAP - offsetWidth : wanted + (isInstant ? GAP : 0)
    const left = Math.max(0, Math.min(beside, width - offsetWidth))
    const right = left + offsetWidth
    const besides = isInstant ? instants : bands
    const reached = besides.filter((box) => box.left < right && box.right > left)
    const inside = Math.max(0, ...reached.map((box) => box.inside))
    // The lines above are for the names of instants.
    if (offsetWidth > width || inside + (lines + 1) * offsetHeight > height) {
      element.remove()
      continue
    }
    element.style.left = `${left}px`
    element.style[isInstant ? 'top' : 'bottom'] = `${inside}px`
    besides.push({ left, right, inside: inside + offsetHeight })
  }
}
