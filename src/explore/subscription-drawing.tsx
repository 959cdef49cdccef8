/** A subscription on a time line: its terms and phases as bands, its invoices as points; what is ahead is dashed. */
import type { JSX } from 'preact'
import { type Phase, phaseWords } from './life-parts.ts'
import { counted, Time } from './parts.tsx'
import { bandsOf, type Current, type LifeEvent, phasesOf, type Stretch, type Terms } from './subscription-bands.ts'
import { type Row, TimeLine } from './time-line.tsx'

interface Entry extends LifeEvent {
  readonly invoice: { readonly id: string; readonly amount: { readonly formatted: string } | null } | null
}

interface DrawingProps {
  readonly of: Current & { readonly startsAt: string; readonly terms: readonly Terms[] }
  /** What happened since `from`, then what happens until `to`. */
  readonly past: readonly Entry[]
  readonly ahead: readonly Entry[]
  /** Epoch milliseconds. */
  readonly from: number
  readonly now: number
  readonly to: number
}

export function Drawing({ of, past, ahead, from, now, to }: DrawingProps): JSX.Element {
  const start = Date.parse(of.startsAt)
  // What was before is not asked for; before the start it is pending.
  const phases = phasesOf(of, [...past, ...ahead], start >= from && start <= now ? start : -Infinity)
  // The last cancellation stays unless it is resumed; what closes ends the terms.
  const last = phases.at(-1)
  const end = last && /^(canceled|closed)$/.test(last.name) ? last.from : Infinity
  const terms = bandsOf(of.terms, end).filter((one) => one.to > from && one.from < to)
  const due = [...past, ...ahead].flatMap(({ at, invoice }) =>
    invoice ? [{ at, amount: invoice.amount?.formatted ?? 'no price' }] : [],
  )
  const coming = due.filter(({ at }) => Date.parse(at) > now)
  const band = ({ from: begin, to: until, name }: Stretch) => ({
    ...{ from: begin, to: until, title: name, isAhead: begin > now },
    isOff: !/^(active|trial)$/.test(name),
  })
  const rows: Row[] = [
    ...terms.map((one) => ({
      key: `terms ${one.from}`,
      name: (
        <>
          <bdi>{one.name}</bdi> <Period of={one} now={now} />
        </>
      ),
      bands: [{ ...band(one), isOff: false }],
    })),
    {
      key: 'phases',
      name: phases.map((one) => (
        <div key={one.from}>
          {wordsOf(one.name)} <Period of={one} now={now} />
        </div>
      )),
      bands: phases.filter(({ name }) => name !== 'closed').map(band),
    },
    {
      key: 'invoices',
      name: (
        <>
          {counted(due.length - coming.length, 'invoice')} since <Time at={new Date(from).toISOString()} />,{' '}
          {coming.length.toLocaleString()} ahead
          {coming[0] && (
            <>
              , the next of <b>{coming[0].amount}</b>
            </>
          )}
        </>
      ),
      bands: [],
      points: due.map(({ at, amount }) => ({
        ...{ at: Date.parse(at), isAhead: Date.parse(at) > now, title: amount },
      })),
    },
  ]
  const mark = { at: new Date(now).toISOString(), kind: 'now', name: 'now' } as const
  return <TimeLine label="Terms, phases and invoices" from={from} to={to} rows={rows} marks={[mark]} />
}

const wordsOf = (name: string): string => phaseWords[name.toUpperCase() as Phase] ?? name

/** From when to when something holds. */
function Period({ of: { from, to }, now }: { readonly of: Stretch; readonly now: number }): JSX.Element {
  return (
    <span class="soft">
      {from > now && 'scheduled '}
      {from > -Infinity && (
        <>
          from <Time at={new Date(from).toISOString()} />
        </>
      )}
      {to < Infinity && (
        <>
          {' '}
          to <Time at={new Date(to).toISOString()} />
        </>
      )}
    </span>
  )
}
