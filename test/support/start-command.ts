import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../src/config/project-root.ts'

/**
 * Node's flags for a program that lives for seconds: the embedded database's WebAssembly stays as it is compiled at
 * first, since optimizing it takes more time than such a program does.
 */
export const shortLived = ['--liftoff-only']

/** The command that `npm start` or `npm run import` runs, without npm. */
export function startCommand(script: 'start' | 'import' | 'export' = 'start'): readonly [string, ...string[]] {
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  return [process.execPath, ...(scripts[script] ?? '').split(' ').slice(2)]
}
