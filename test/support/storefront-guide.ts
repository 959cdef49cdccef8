/** The guide to a storefront: the files that it shows, and its commands. */
import { join } from 'node:path'
import { projectRoot } from '../../src/config/project-root.ts'
import { codeBlocks, readPage } from './markdown.ts'

export const storefrontPage = 'src/guides/storefront.md'

/** The folder of the finished example. */
export const example = join(projectRoot, 'test/browser/storefront')

/** The files on the page, by the name above each. */
export function shownFiles(): { readonly file: string; readonly text: string }[] {
  const blocks = readPage(storefrontPage).matchAll(
    /\[([\w./]+)\]\(\.\.\/\.\.\/test\/browser\/storefront\/\1\)[^`]*\n\n```(?:json|html|tsx?)\n([\s\S]*?)^```/gm,
  )
  return [...blocks].map(([, file = '', text = '']) => ({ file, text }))
}

/** The commands that start the server, that set up the folder, and that make and show the shop. */
export function commands(): readonly [start: string, setup: string, show: string] {
  const [start = '', setup = '', show = '', ...others] = codeBlocks(readPage(storefrontPage), 'sh')
  if (others.length > 0) throw new Error(`The guide has more commands: ${others}`)
  return [start, setup, show]
}
