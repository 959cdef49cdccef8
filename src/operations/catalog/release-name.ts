/** Names of releases: the use case that changes one (release.name-for-administrators). */
import { readReleaseName } from '../../domain/catalog/release-name.ts'
import { type ReleaseSummary, releaseUpdatedAt } from '../../domain/catalog/release-summary.ts'
import { assertValid, conflict, notFound } from '../../domain/input/errors.ts'
import { readInput } from '../../domain/input/read-input.ts'
import { inClientTransaction } from '../../persistence/catalog/publish/run.ts'
import { saveName, scheduledReleaseTable } from '../../persistence/catalog/release.ts'
import { logChangeOn } from '../../persistence/database/change-log.ts'
import { type Context, presentOf } from '../../request/context.ts'
import { assertNotStale, authorFor, type CommandOptions } from '../operation.ts'
import { holderOf } from './carry.ts'
import { publishLocked } from './publish-lock.ts'

/**
 * Changes the name of a release, and returns it; null takes the name away, an absent or equal one writes nothing. The
 * id of a carried release names the one that has its schedule now. Waits for a running publish, which may carry the
 * name on. Throws notFound, violations of `name`, STALE, and ACTION_REFUSED for a draft.
 */
export async function updateRelease(
  ctx: Context,
  input: { readonly id: string; readonly data: unknown },
  options: CommandOptions = {},
): Promise<ReleaseSummary> {
  const { value, violations } = readInput(input.data, (reader) => ({ name: readReleaseName(reader) }))
  return publishLocked(ctx, async (client) => {
    const now = presentOf(ctx)
    const release = await holderOf(client, input.id, now, false)
    if (!release) throw notFound(['id'], 'No such release')
    assertValid(violations)
    if (release.status === 'draft') throw conflict('ACTION_REFUSED', ['id'], 'the release was never published', release)
    const updatedAt = releaseUpdatedAt(release)
    assertNotStale(updatedAt, options.ifUpdatedAt, release)
    const name = value?.name
    if (name === undefined || name === release.name) return release
    const renamed = { ...release, name, renamedAt: Math.max(now, updatedAt + 1) }
    await inClientTransaction(client, async () => {
      await saveName(client, release.id, renamed)
      await logChangeOn(client, authorFor(ctx.viewer, 'updateRelease'), scheduledReleaseTable, release, renamed)
    })
    return renamed
  })
}
