/** Client folder: a frontend as a package of its own, in which types are generated and sources compiled. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { compileErrors } from '../../support/compile.ts'

const clients = fileURLToPath(new URL('..', import.meta.url))

const compilerOptions = {
  ...{
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['ES2023', 'DOM'],
    types: [],
    strict: true,
  },
  ...{ noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, skipLibCheck: true, noEmit: true },
  allowImportingTsExtensions: true,
}

/** A copy of `test/clients/<client>` with the packages of the clients, until the test ends; returns its path. */
export function copyClient(client: string): string {
  const folder = mkdtempSync(join(tmpdir(), `commerce-graph-${client}-`))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(join(clients, client), folder, { recursive: true })
  symlinkSync(join(clients, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  return folder
}

/**
 * Fails unless `folder` compiles, and each faulty variant of `file` does not: what to replace by what in it, by a name.
 */
export async function expectTyped(
  folder: string,
  file: string,
  wrong: Readonly<Record<string, readonly [string, string]>>,
): Promise<void> {
  expect(await compileErrors(folder)).toEqual([])
  const source = readFileSync(join(folder, file), 'utf8')
  const variants = Object.entries(wrong).map(([name, [right, instead]]) => {
    const changed = source.replace(right, instead)
    expect(changed, name).not.toBe(source)
    const variant = file.replace(/[^/]*$/, `${name.replaceAll(' ', '-')}.ts`)
    writeFileSync(join(folder, variant), changed)
    return variant
  })
  const faulty = (await compileErrors(folder)).map((error) => error.slice(0, error.indexOf('(')))
  expect([...new Set(faulty)].sort()).toEqual(variants.sort())
}
