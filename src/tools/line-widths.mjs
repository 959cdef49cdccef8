// Line widths, a part of `npm run lint`: comments and Markdown have at most 120 characters a line. Biome wraps only
// code. Tables, blocks of code, and sentences of RULES.md, which are one line each, are exempt.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const WIDTH = 120
const root = fileURLToPath(new URL('../..', import.meta.url))
const patterns = ['*.ts', '*.tsx', '*.mjs', '*.md']
const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...patterns], {
  cwd: root,
  encoding: 'utf8',
})

/** The numbers of the lines of prose in Markdown. */
function proseOf(lines) {
  let isCode = false
  return lines.flatMap((line, index) => {
    const isFence = /^\s*```/.test(line)
    if (isFence) isCode = !isCode
    return isCode || isFence || /^(\s*\||- `[a-z-]+\.[a-z0-9-]+` )/.test(line) ? [] : [index]
  })
}

function commentsOf(lines) {
  return lines.flatMap((line, index) => (/^ *(\/\*\*|\*|\/\/) /.test(line) ? [index] : []))
}

const wide = listed
  .split('\n')
  .filter(Boolean)
  .flatMap((file) => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n')
    return (file.endsWith('.md') ? proseOf : commentsOf)(lines)
      .filter((index) => lines[index].length > WIDTH)
      .map((index) => `${file}:${index + 1}: ${lines[index].length} characters, ${WIDTH} at most`)
  })

if (wide.length > 0) {
  console.error(wide.join('\n'))
  process.exit(1)
}
