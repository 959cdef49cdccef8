/** Names in a chart: each whole, within the chart, and none over another. */
import type UPlot from 'uplot'

/** A name at its place. */
export interface Label {
  /** What it names: a band, whose names stand at the bottom, or now, whose name stands at the top. */
  readonly of: string
  readonly text: string
  /** Pixels from the left, where what it names begins. */
  readonly left: number
}

interface Box {
  readonly left: number
  readonly right: number
  /** Pixels from the bottom. */
  readonly top: number
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
  const written: Box[] = []
  for (const [at, element] of elements.entries()) {
    const { of = '', left: wanted = 0 } = labels[at] ?? {}
    const { offsetWidth, offsetHeight } = element
    const isNow = of === 'now'
    // Beside its line, before it where the right side has no room.
    const beside = isNow && wanted + GAP + offsetWidth > width ? wanted - GAP - offsetWidth : wanted + (isNow ? GAP : 0)
    const left = Math.max(0, Math.min(beside, width - offsetWidth))
    const right = left + offsetWidth
    const below = isNow ? [] : written.filter((box) => box.left < right && box.right > left)
    const bottom = Math.max(0, ...below.map(({ top }) => top))
    // The line above is for the name of now.
    if (offsetWidth > width || bottom + 2 * offsetHeight > height) {
      element.remove()
      continue
    }
    element.style.left = `${left}px`
    if (isNow) element.style.top = '0'
    else {
      element.style.bottom = `${bottom}px`
      written.push({ left, right, top: bottom + offsetHeight })
    }
  }
}
