import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../src/config/project-root.ts'

/** The command that `npm start` or `npm run import` runs, without npm. */
export function startCommand(script: 'start' | 'import' = 'start'): readonly [string, ...string[]] {
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
  return [process.execPath, ...(scripts[script] ?? '').split(' ').slice(2)]
}
