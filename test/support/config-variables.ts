import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../src/config/project-root.ts'

/** The names of all variables that the configuration reads. */
export function variablesOfConfig(): readonly string[] {
  const folder = join(projectRoot, 'src/config')
  const source = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  return [...new Set([...source.join('\n').matchAll(/env\.\w+\('([A-Z_]+)'/g)].map(([, name = '']) => name))]
}
