/**
 * Addresses of products' files, and the files of the demo store, which the server has itself
 * (demo.files-of-its-own).
 */
import type { Config } from '../config/config.ts'
import { demoDrawings } from '../demo/demo-drawings.ts'
import { createStaticFiles, type StaticFiles } from './static-files.ts'

/** Path prefix of the demo's files. */
export const DEMO_FILES_PATH = '/files/'

type FilesConfig = Pick<Config, 'production' | 'filesUrl'>

let drawn: StaticFiles | undefined

/** The demo's files, drawn when they are first asked for. */
export function demoFiles(): StaticFiles {
  drawn ??= createStaticFiles(
    DEMO_FILES_PATH,
    Object.fromEntries([...demoDrawings()].map(([id, svg]) => [`${id}.svg`, svg])),
  )
  return drawn
}

/** Whether this server has the demo's files: outside production, when FILES_URL names no other place. */
export function hasDemoFiles({ production, filesUrl }: FilesConfig): boolean {
  return !production && filesUrl === null
}

/** The URL of a file by its id, or its path on this server; null when nothing tells where it is. */
export function fileUrl(config: FilesConfig, id: string): string | null {
  if (config.filesUrl !== null) return config.filesUrl.replaceAll('{id}', id)
  if (!hasDemoFiles(config)) return null
  const { folder, find } = demoFiles()
  const path = `${folder}/${id}.svg`
  return find(path) ? path : null
}

/** The sources of images in a page's content security policy: this server, and the origin that FILES_URL names. */
export function imageSources({ filesUrl }: Pick<Config, 'filesUrl'>): string {
  if (filesUrl === null) return "'self' data:"
  const { protocol, host } = new URL(filesUrl.replaceAll('{id}', 'id'))
  // A host that differs from file to file leaves only its scheme.
  const hasOneHost = new URL(filesUrl.replaceAll('{id}', 'other')).host === host
  return `'self' data: ${protocol}${hasOneHost ? `//${host}` : ''}`
}
