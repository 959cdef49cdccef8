import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '../src/root.ts'

interface Package {
  readonly version?: string
  readonly optionalDependencies?: Record<string, string>
}

const read = (file: string) => JSON.parse(readFileSync(join(projectRoot, file), 'utf8'))

it('the lockfile lists every package of other platforms, without which npm ci refuses it', () => {
  const packages = read('package-lock.json').packages as Record<string, Package>
  const listed = new Set(Object.keys(packages).map((path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)))
  const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) => Object.keys(optionalDependencies))
  expect(wanted.filter((name) => !listed.has(name))).toEqual([])
})

it('every version of a dependency is pinned', () => {
  const { dependencies, devDependencies, overrides } = read('package.json') as Record<string, Record<string, string>>
  const versions = Object.entries({ ...dependencies, ...devDependencies, ...overrides })
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version))).toEqual([])
})
