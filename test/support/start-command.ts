import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../src/root.ts'

/** What `npm start` runs, without npm in between: Node with the heap's bounds, and the program. */
export function startCommand(): readonly [string, ...string[]] {
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { scripts: { start: string } }
  return [process.execPath, ...scripts.start.split(' ').slice(2)]
}
