/** How long an answer stays true (CAT-2, pricing G4): told by whatever goes into it, while it is made. */
export class AnswerValidity {
  /** Epoch milliseconds: from then on it may be another. */
  until = Number.POSITIVE_INFINITY
  /** Whether nothing but releases, which never change, the instant and the request went in. */
  ofReleases = true
  /** Whether nothing but what is stored went in, and that without the instant. */
  ofStored = true

  /** Something in the answer changes at the instant (epoch milliseconds); null: never. */
  endAt(instant: number | null): void {
    if (instant !== null && instant < this.until) this.until = instant
  }

  /** The instant went in. */
  readMoment(): void {
    this.ofStored = false
  }

  /** Something went in that may change at any moment. */
  readStored(): void {
    this.ofReleases = false
  }

  /** Something went in that this process alone knows, and that changes as it works. */
  readProcess(): void {
    this.readStored()
    this.readMoment()
  }
}
