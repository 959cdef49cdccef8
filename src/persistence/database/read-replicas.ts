/**
 * Read replicas: standbys that serve the contents of releases, which never change once they are committed
 * (replica.serves-what-it-has). Everything else is read from the primary, so a client reads its own writes on every
 * server.
 *
 * A standby serves a read once it has replayed the position of the primary's log at which the read's release was known.
 * A standby that lags, hangs or fails is left out: its reads go to the primary, and it serves again when it has caught
 * up.
 */
import type pg from 'pg'
import { Unavailable } from '../../domain/input/errors.ts'
import type { ConnectionLog } from './connection-log.ts'
import { translateFailure } from './failures.ts'
import { namedQuery } from './query.ts'

/** Milliseconds between two polls of how far the standbys are. */
const POLL_EVERY_MS = 500
/** Milliseconds after which a read of a standby goes to the primary. */
export const REPLICA_TIMEOUT_MS = 2_000

/** A place in PostgreSQL's write-ahead log. */
export type LogPosition = bigint

/** Higher than the position of any log: those have 64 bits. */
const BEYOND_ALL: LogPosition = 1n << 64n

/** A standby with its pool. */
interface Standby {
  readonly pool: pg.Pool
  /** How far it has replayed, by the last poll; null while it is left out, undefined before it is known. */
  replayed: LogPosition | null | undefined
}

const POSITION = `
SELECT (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END)::text AS position,
  pg_is_in_recovery() AS "isStandby"`

interface PositionRow {
  readonly position: string | null
  readonly isStandby: boolean
}

/** The standbys of one process. */
export class ReadReplicas {
  private readonly standbys: readonly Standby[]
  private readonly timer: NodeJS.Timeout
  private turn = 0
  /** False once the primary reported no position, for as long as the process lives. */
  private hasPositions = true

  /** `pools` are those of the standbys, whose queries end by REPLICA_TIMEOUT_MS. */
  constructor(
    private readonly primary: pg.Pool,
    pools: readonly pg.Pool[],
    private readonly log: ConnectionLog,
  ) {
    this.standbys = pools.map((pool) => ({ pool, replayed: undefined }))
    const poll = () => this.standbys.map((standby) => this.poll(standby))
    poll()
    this.timer = setInterval(poll, POLL_EVERY_MS).unref()
  }

  /**
   * The position after all that is committed now. BEYOND_ALL when the primary does not know one, so that it serves all
   * reads itself. One statement on the primary.
   */
  async position(): Promise<LogPosition> {
    try {
      if (!this.hasPositions) return BEYOND_ALL
      const [row] = await namedQuery<PositionRow>(this.primary, 'log_position', POSITION)
      return parsePosition(row?.position ?? null) ?? 0n
    } catch (error) {
      if (translateFailure(error) instanceof Unavailable) throw error
      if (this.hasPositions)
        this.log.warn({ err: error }, 'the primary does not know the position of its log: it serves all reads')
      this.hasPositions = false
      return BEYOND_ALL
    }
  }

  /**
   * Runs a named prepared statement that reads what was committed before `position`: on a standby; when that fails on
   * the next one, and at last on the primary. When the primary can't be reached either, a standby that was behind at
   * the last poll may have caught up since.
   */
  async query<Row extends object>(
    position: LogPosition,
    name: string,
    text: string,
    values?: readonly unknown[],
  ): Promise<Row[]> {
    const readOn = (pool: pg.Pool) => namedQuery<Row>(pool, name, text, values)
    const rows = await this.readOnStandby(position, readOn)
    if (rows) return rows
    try {
      return await readOn(this.primary)
    } catch (error) {
      if (!(translateFailure(error) instanceof Unavailable)) throw error
      await Promise.all(this.standbys.map((standby) => this.poll(standby)))
      const late = await this.readOnStandby(position, readOn)
      if (late) return late
      throw error
    }
  }

  /** Null when no standby has replayed `position` by the last poll, or when all that have replayed it fail. */
  private async readOnStandby<Row>(
    position: LogPosition,
    readOn: (pool: pg.Pool) => Promise<Row[]>,
  ): Promise<Row[] | null> {
    const able = this.standbys.filter(({ replayed }) => replayed != null && replayed >= position)
    const first = this.turn++ % Math.max(able.length, 1)
    for (const standby of [...able.slice(first), ...able.slice(0, first)]) {
      try {
        return await readOn(standby.pool)
      } catch (error) {
        this.leaveOut(standby, error)
      }
    }
    return null
  }

  /** Ends the polls and closes the pools. */
  async close(): Promise<void> {
    clearInterval(this.timer)
    await Promise.all(this.standbys.map(({ pool }) => pool.end()))
  }

  private async poll(standby: Standby): Promise<void> {
    try {
      const [row] = await namedQuery<PositionRow>(standby.pool, 'log_position', POSITION)
      // A promoted standby retains its position; a server that never was a standby has none.
      if (!row?.isStandby) return
      const replayed = parsePosition(row.position)
      if (standby.replayed == null && replayed !== null) this.log.info?.(nameOf(standby), 'a read replica serves reads')
      standby.replayed = replayed
    } catch (error) {
      this.leaveOut(standby, error)
    }
  }

  private leaveOut(standby: Standby, error: unknown): void {
    if (standby.replayed !== null)
      this.log.warn({ ...nameOf(standby), err: error }, 'a read replica is left out until it is back')
    standby.replayed = null
  }
}

/** The host and port of a standby, without user and password. */
function nameOf({ pool }: Standby): { readonly replica: string } {
  const { connectionString = '' } = pool.options as { readonly connectionString?: string }
  return { replica: new URL(connectionString).host }
}

/** A position such as `16/B374D848`. */
function parsePosition(text: string | null): LogPosition | null {
  const [high, low] = text?.split('/') ?? []
  return high && low ? (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`) : null
}
