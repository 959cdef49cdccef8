/** A time line: rows of bands to scale with their names and values beside them, and instants marked across all rows. */
import type { ComponentChildren, JSX } from 'preact'
import { readersZone, Time } from './parts.tsx'

/** A stretch of a row, in epoch milliseconds; `Infinity` and `-Infinity` for open ends. */
export interface Band {
  readonly from: number
  readonly to: number
  /** What begins later is dashed. */
  readonly isAhead: boolean
  /** What is off, such as a pause, has another colour. */
  readonly isOff?: boolean
  readonly title: string
}

/** An instant of a row. */
export interface Point {
  readonly at: number
  readonly isAhead: boolean
  readonly title: string
}

export interface Row {
  readonly key: string
  readonly name: ComponentChildren
  readonly bands: readonly Band[]
  readonly points?: readonly Point[]
}

/** An instant that is marked across all rows, and explained below them. */
export interface Mark {
  readonly at: string
  readonly kind: 'now' | 'ahead'
  readonly name: string
}

interface TimeLineProps {
  /** What it shows, for those who don't see it. */
  readonly label: string
  readonly from: number
  readonly to: number
  readonly rows: readonly Row[]
  readonly marks: readonly Mark[]
}

/** The rows, the ends of the time that they show, and what the marks are. Names and values are texts: none is cut. */
export function TimeLine({ label, from, to, rows, marks }: TimeLineProps): JSX.Element {
  const percent = (at: number): number => (100 * (Math.min(to, Math.max(from, at)) - from)) / (to - from)
  const isShown = (at: number): boolean => at >= from && at <= to
  const shownMarks = marks.filter(({ at }) => isShown(Date.parse(at)))
  return (
    <section class="time-line" aria-label={label}>
      {rows.map(({ key, name, bands, points = [] }) => (
        <div key={key} class="time-row">
          <div>{name}</div>
          <div class="bands" aria-hidden="true">
            {bands.map((band) => (
              <span
                key={`${band.from} ${band.title}`}
                class={classOf(band, from, to)}
                title={band.title}
                style={{ left: `${percent(band.from)}%`, width: `${percent(band.to) - percent(band.from)}%` }}
              />
            ))}
            {points
              .filter(({ at }) => isShown(at))
              .map(({ at, isAhead, title }) => (
                <b key={at} class={isAhead ? 'ahead' : 'past'} title={title} style={{ left: `${percent(at)}%` }} />
              ))}
            {shownMarks.map(({ at, kind, name: of }) => (
              <i key={`${kind} ${at}`} class={kind} title={of} style={{ left: `${percent(Date.parse(at))}%` }} />
            ))}
          </div>
        </div>
      ))}
      <div class="time-row">
        <div class="soft">Times in {readersZone}</div>
        <div class="ends soft">
          <Time at={new Date(from).toISOString()} />
          <Time at={new Date(to).toISOString()} />
        </div>
      </div>
      <ul class="legend">
        {shownMarks.map(({ at, kind, name }) => (
          <li key={`${kind} ${at}`} class={kind}>
            {name}, <Time at={at} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const classOf = (band: Band, from: number, to: number): string =>
  [
    band.isOff ? 'off' : 'on',
    ...(band.isAhead ? ['ahead'] : []),
    ...(band.from < from ? ['since'] : []),
    ...(band.to > to ? ['onward'] : []),
  ].join(' ')
