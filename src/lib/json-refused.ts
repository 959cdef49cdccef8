/** Reasons why well-formed JSON is refused. A message is the end of a sentence that begins with the text's name. */

/** Thrown for JSON that is beyond a limit, or that gives a key twice. */
export class JsonRefused extends SyntaxError {}

/** Characters of a path in a message: keys may be as long as the text. */
const PATH_MAX = 200

/**
 * Thrown for an object that gives a key twice; `path` leads to the key: names of members and numbers of items, from 0.
 */
export class JsonKeyTwice extends JsonRefused {
  constructor(readonly path: readonly (string | number)[]) {
    super(`gives ${path.join('.').slice(0, PATH_MAX).toWellFormed()} twice`)
  }
}
