/** Labels of a release's names, in the requested language (label.in-language). */
import { type LabelKind, labelOf, type ReleaseLabels } from '../../domain/catalog/label.ts'
import type { Context } from '../../request/context.ts'
import { requestLanguages } from './locale.ts'

/** What has names that a release may have labels for. */
export interface Labelled {
  readonly labels: ReleaseLabels
}

/** What a name is called in the language of the argument `locale`, else of the request. */
export function labelIn(
  { labels }: Labelled,
  kind: LabelKind,
  name: string,
  args: Parameters<typeof requestLanguages>[0],
  ctx: Context,
): string {
  return labelOf(labels, kind, name, requestLanguages(args, ctx))
}
