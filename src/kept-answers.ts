/**
 * Whole answers that are still true, as bytes. One is given again under the same key (all of the question that it depends on, with role and
 * rights) from the instant at which it was made until something in it changes, and only while every release that it asked for still is
 * what it was then, which the release store knows by the freshness of CAT-2. Failures and answers that read anything but releases are
 * never kept.
 */
import { LRUCache } from 'lru-cache'
import type { AnswerValidity } from './answer-validity.ts'
import { Asked } from './asked.ts'
import type { ResolvedRelease } from './persistence/release-loaders.ts'
import type { ReleaseStore } from './persistence/release-store.ts'

/** Bytes of answers and their keys. */
export const ANSWERS_KEPT_BYTES = 24 * 1024 * 1024
/** Questions remembered: an answer is kept from the second time on, since most pages of a big store are asked for once in a long while. */
const ASKED_LATELY = 10_000
/** A longer key or answer is not worth its place. */
const KEY_MAX = 16 * 1024
const ANSWER_MAX = 1024 * 1024

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
    this.kept = new LRUCache({ maxSize: limit, sizeCalculation: weight })
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
  keep(key: string, body: Buffer, { now, validity, loaders }: Made): void {
    if (!validity.ofReleases || validity.until <= now || key.length > KEY_MAX || body.length > ANSWER_MAX) return
    if (!this.asked.again(key)) return
    this.kept.set(key, { body, from: now, until: validity.until, releases: loaders.releases.resolved })
  }
}

/** Bytes: a key's characters may take two each; the rest is what an entry costs about. */
function weight({ body }: KeptAnswer, key: string): number {
  return key.length * 2 + body.length + 500
}
