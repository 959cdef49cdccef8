/** How long an answer stays true (CAT-2, pricing G4): told by whatever goes into it, while it is made. */
export class AnswerValidity {
  /** Epoch milliseconds: from then on it may be another. */
  until = Number.POSITIVE_INFINITY
  /** Whether nothing but releases, which never change, the instant and the request went in. */
  ofReleases = true

  /** Something in the answer changes at the instant (epoch milliseconds); null: never. */
  endAt(instant: number | null): void {
    if (instant !== null && instant < this.until) this.until = instant
  }

  /** Something went in that may change at any moment. */
  readStored(): void {
    this.ofReleases = false
  }
}
