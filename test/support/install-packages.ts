/** Packages of a folder that has a package.json of its own, which only tests use. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Runs `npm ci` in the folder unless the packages of its package-lock.json are there. */
export function installPackages(folder: string): void {
  const wanted = join(folder, 'package-lock.json')
  const installed = join(folder, 'node_modules/installed.json')
  if (existsSync(installed) && readFileSync(installed).equals(readFileSync(wanted))) return
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' })
  copyFileSync(wanted, installed)
}
