import type { Command } from '../operation.ts'

/**
 * A command that writes what the release cache knows: catalog rules, and which catalogs are confidential. Requests of
 * the same server see the change at once (release.seen-within-a-second).
 */
export function writesKnowledge<Input, Result>(write: Command<Input, Result>): Command<Input, Result> {
  return async (ctx, ...rest) => {
    try {
      return await write(ctx, ...rest)
    } finally {
      ctx.releases.invalidate()
    }
  }
}
