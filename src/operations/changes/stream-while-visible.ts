/** Streams of a catalog, which end once it does not exist for the viewer any more (live.ends-with-the-catalog). */
import { StreamEnded } from '../../domain/changes/change.ts'
import { notFound, Unavailable } from '../../domain/input/errors.ts'
import { type Context, presentOf } from '../../request/context.ts'

/** The error for a catalog that does not exist for the viewer, or at all. */
export const catalogNotFound = () => notFound(['catalogId'], 'No such catalog')

/** Milliseconds between two checks of a stream without events. */
const CHECK_MS = 1_000

/**
 * The stream, which then throws what it would throw at its beginning. It is checked before each event, and every second
 * while its catalog is known to be confidential: that the server's clocks read anew each second (catalog-timer.ts).
 */
export function streamWhileVisible<Event>(
  ctx: Context,
  catalogId: string,
  stream: AsyncIterableIterator<Event, void>,
): AsyncIterableIterator<Event, void> {
  const { releases, releaseReader, log, requestId } = ctx
  const { proof } = releaseReader
  if (proof === null) return stream
  let isHidden = false
  const isVisible = () => releases.hasCatalog(catalogId, { proof, now: presentOf(ctx) })
  const stop = () => clearInterval(timer)
  const hide = () => {
    isHidden = true
    stop()
    // Ends the wait for the next event.
    void stream.return?.()
  }
  const check = async () => {
    if (releases.known.isConfidential(catalogId) && !(await isVisible())) hide()
  }
  const timer = setInterval(() => {
    check().catch((error) => log.warn({ err: error, requestId }, 'could not check for whom a catalog exists'))
  }, CHECK_MS).unref()
  const iterator: AsyncIterableIterator<Event, void> = {
    [Symbol.asyncIterator]: () => iterator,
    next: async () => {
      try {
        const result = await stream.next()
        if (!isHidden && !result.done && !(await isVisible())) hide()
        if (isHidden) throw catalogNotFound()
        if (result.done) stop()
        return result
      } catch (error) {
        stop()
        throw error instanceof Unavailable ? new StreamEnded('unavailable') : error
      }
    },
    return: async () => {
      stop()
      await stream.return?.()
      return { done: true, value: undefined }
    },
  }
  return iterator
}
