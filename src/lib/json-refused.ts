/** Reasons why well-formed JSON is refused. A message completes a sentence that begins with the name of the text. */

/** Thrown for JSON that exceeds a limit, or gives a key twice. */
export class JsonRefused extends SyntaxError {}

/** Characters of a path in a message: keys may be as long as the text. */
const PATH_MAX = 200

/**
 * Thrown for an object that gives a key twice. `path` leads to the key by names of members and indexes of items, from
 * 0.
 */
export class JsonKeyTwice extends JsonRefused {
  constructor(readonly path: readonly (string | number)[]) {
    super(`gives ${path.join('.').slice(0, PATH_MAX).toWellFormed()} twice`)
  }
}
