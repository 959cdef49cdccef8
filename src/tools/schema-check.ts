/**
 * Check for changes that break clients: `npm run schema:check [base]` compares schema.graphql and src/rest/openapi.json
 * with those of a commit, by default the last tag, or the first parent of HEAD if there is none. It fails on a breaking
 * change that no commit since then acknowledges in a trailer, `Breaking-Change: <place>`.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { projectRoot } from '../config/project-root.ts'
import { type ClientChange, graphChanges } from './graph-changes.ts'
import { openApiChanges } from './openapi-changes.ts'

const documents = {
  'schema.graphql': graphChanges,
  'src/rest/openapi.json': async (before: string, after: string) =>
    openApiChanges(JSON.parse(before), JSON.parse(after)),
}

/** What the check prints, and whether it passes. */
export interface CheckResult {
  readonly lines: readonly string[]
  readonly passed: boolean
}

/**
 * Compares the files of a folder, a git repository, with those of `base`; in CI it fails when there is nothing to
 * compare with.
 */
export async function checkSchemas(folder: string, base?: string, isCi = false): Promise<CheckResult> {
  const git = (...args: string[]): string | null => {
    const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 })
    return status === 0 ? stdout.trim() : null
  }
  const tag = base === undefined ? git('describe', '--tags', '--abbrev=0') : null
  const from = base ?? tag ?? 'HEAD^1'
  const commit = git('rev-parse', '--verify', '--quiet', '--short', `${from}^{commit}`)
  if (commit === null && base !== undefined) return { lines: [`There is no commit ${base} here.`], passed: false }
  if (commit === null) {
    const hint =
      'Fetch the tags and the history (git fetch --tags --unshallow), or name a commit: npm run schema:check -- origin/main'
    // In CI a check that compares nothing would always pass.
    return {
      lines: [`Nothing was compared: there is no tag here, and no parent of HEAD (a shallow clone has none). ${hint}`],
      passed: !isCi,
    }
  }

  const why =
    base !== undefined ? 'as given' : tag ? 'the last tag' : 'the first parent of HEAD, since there is no tag here'
  const lines = [`Compared with ${from} (${commit}; ${why}):`]
  const trailers = git('log', '--format=%(trailers:key=Breaking-Change,valueonly,unfold)', `${commit}..HEAD`) ?? ''
  const acknowledged = trailers.split('\n').filter((line) => line !== '')
  const refused: ClientChange[] = []
  for (const [file, changesOf] of Object.entries(documents)) {
    const before = git('show', `${commit}:${file}`)
    if (before === null) {
      lines.push(`${file}: not there then, so not compared.`)
      continue
    }
    const changes = await changesOf(before, readFileSync(join(folder, file), 'utf8'))
    lines.push(`${file}: ${changes.length === 0 ? 'nothing breaking or dangerous.' : ''}`.trimEnd())
    for (const change of changes) {
      const known = change.level === 'breaking' && acknowledged.some((place) => isWithin(change.place, place))
      if (change.level === 'breaking' && !known) refused.push(change)
      lines.push(`  ${change.level}${known ? ', acknowledged' : ''}: ${change.place}: ${change.what}`)
    }
  }
  return refused.length === 0 ? { lines, passed: true } : { lines: [...lines, ...refusal(refused)], passed: false }
}

/**
 * Whether a place is the acknowledged one or inside it: `Product` contains `Product.name`, `PUT /path` contains `PUT
 * /path request.data`.
 */
function isWithin(place: string, acknowledged: string): boolean {
  return place === acknowledged || place.startsWith(`${acknowledged}.`) || place.startsWith(`${acknowledged} `)
}

function refusal(changes: readonly ClientChange[]): string[] {
  const places = [...new Set(changes.map(({ place }) => place))]
  const intended = 'If they are intended, acknowledge each in the message of a commit, by lines like these at its end:'
  return [
    '',
    `Breaking changes that nobody acknowledged: ${changes.length}. ${intended}`,
    ...places.map((place) => `Breaking-Change: ${place}`),
  ]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { lines, passed } = await checkSchemas(projectRoot, process.argv[2], Boolean(process.env.CI))
  for (const line of lines) console.log(line)
  if (!passed) process.exitCode = 1
}
