/** Error of a job that can't be run. The message is for its author. */
export class JobRefused extends Error {
  override readonly name = 'JobRefused'
}
