import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the project, where prisma/ and .build/ lie: the nearest one with a package.json, from a source file and from a bundle. */
export const projectRoot = nearestPackage(dirname(fileURLToPath(import.meta.url)))

function nearestPackage(folder: string): string {
  const parent = dirname(folder)
  return existsSync(join(folder, 'package.json')) || parent === folder ? folder : nearestPackage(parent)
}
