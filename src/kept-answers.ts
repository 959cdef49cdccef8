/**
 * Whole answers that are still true, as bytes. One is given again under the same key (all of the question that it depends on, with role and
 * rights) from the instant at which it was made until something in it changes, and only while every release that it asked for still is
 * what it was then, which the release store knows by the freshness of CAT-2. Failures and answers that read anything but releases are
 * never kept.
 */
import { LRUCache } from 'lru-cache'
import type { AnswerValidity } from './answer-validity.ts'
import { ASKED_LATELY, Asked, isKeepable, ownBytes, weightOf } from './keeping.ts'
import type { ResolvedRelease } from './persistence/release-loaders.ts'
import type { ReleaseStore } from './persistence/release-store.ts'

/** Bytes of answers and their keys. */
export const ANSWERS_KEPT_BYTES = 24 * 1024 * 1024

interface KeptAnswer {
  readonly body: Buffer
  /** Epoch milliseconds; `until` is exclusive. */
  readonly from: number
  readonly until: number
  readonly releases: readonly ResolvedRelease[]
}

/** What of a request says how long its answer is valid. */
interface Made {
  readonly now: number
  readonly validity: AnswerValidity
  readonly loaders: { readonly releases: { readonly resolved: readonly ResolvedRelease[] } }
}

export class KeptAnswers {
  private readonly kept: LRUCache<string, KeptAnswer>
  private readonly asked = new Asked(ASKED_LATELY)

  constructor(
    private readonly releases: ReleaseStore,
    limit = ANSWERS_KEPT_BYTES,
  ) {
    this.kept = new LRUCache<string, KeptAnswer>({ maxSize: limit, sizeCalculation: weightOf })
  }

  /** The answer that is true at `now`, epoch milliseconds; undefined when none is known to be. No statement. */
  find(key: string, now: number): Buffer | undefined {
    const answer = this.kept.get(key)
    if (!answer || now < answer.from) return undefined
    let known = now < answer.until
    for (const { catalogId, releaseId, id } of answer.releases) {
      const release = this.releases.known(catalogId, releaseId)
      // Not confirmed at the moment: whoever asks the database will tell.
      if (release === undefined) return undefined
      known &&= id === (release?.id ?? null)
    }
    if (known) return answer.body
    this.kept.delete(key)
    return undefined
  }

  /** Keeps the body of an answer that was given, when it may be given again and is not asked for the first time. */
  keep(key: string, bodyOf: () => Buffer, { now, validity, loaders }: Made): void {
    if (!validity.ofReleases || validity.until <= now || !isKeepable(key)) return
    if (!this.asked.again(key)) return
    const body = bodyOf()
    if (!isKeepable(key, body)) return
    this.kept.set(key, { body: ownBytes(body), from: now, until: validity.until, releases: loaders.releases.resolved })
  }
}
