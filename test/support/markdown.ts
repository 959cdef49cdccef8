/** Markdown: the pages of the project, and what is in them. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../src/config/project-root.ts'

export const readPage = (path: string): string => readFileSync(join(projectRoot, path), 'utf8')

/** The paths of all pages. */
export function pages(): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
    cwd: projectRoot,
    encoding: 'utf8',
  })
  return listed.trim().split('\n')
}

/** The blocks of code in a language, in their order. */
export function codeBlocks(text: string, language: string): string[] {
  const block = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm')
  return [...text.matchAll(block)].map(([, code = '']) => code)
}

/** A text without its blocks of code. */
export const withoutCode = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, '')

/** The cells of all tables, row by row, without heads. */
export function tableRows(text: string): string[][] {
  const tables = text.matchAll(/^\|.*\|\n\|[-|]+\|\n((?:\|.*\|\n)*)/gm)
  return [...tables].flatMap(([, rows = '']) =>
    rows
      .trim()
      .split('\n')
      .map((row) => row.slice(2, -2).split(' | ')),
  )
}

/** The anchors of a page's headings, as hosts of repositories make them. */
export function anchorsOf(text: string): string[] {
  const headings = withoutCode(text).matchAll(/^#+ (.*)$/gm)
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
