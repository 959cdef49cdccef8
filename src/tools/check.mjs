// `npm run check`: what CI asks of a change, in the order of what fails soonest. Stops at the first failure and prints
// what to type next. The end-to-end tests take minutes, so it runs those of what changed (changed-tests.mjs) and all
// other tests; `npm run check -- test/rest` runs both kinds of these files or folders alone. With DATABASE_URL it also
// runs them on that PostgreSQL. Its last lines tell what CI (.ci/run) adds and this left out.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { endToEndFiles, endToEndTests } from './changed-tests.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { DATABASE_URL: server, ...environment } = process.env
const chosen = process.argv.slice(2)

/** The end-to-end tests that run, each with its reason, and the others. */
async function endToEnd() {
  if (chosen.length > 0) {
    const files = endToEndFiles(root, chosen)
    return { run: files.map((file) => ({ file, reason: 'as given' })), skipped: [] }
  }
  const { base, changed, tests } = await endToEndTests(root)
  console.log(
    `Tests end to end: ${changed.length} files differ from ${base ?? 'nothing, since there is no base here'}.`,
  )
  return {
    run: tests.filter(({ reason }) => reason !== null),
    skipped: tests.filter(({ reason }) => reason === null).map(({ file }) => file),
  }
}

const { run, skipped } = await endToEnd()
for (const { file, reason } of run) console.log(`  ${file} runs: ${reason}`)
const unit = chosen.filter((path) => !path.endsWith('.e2e.ts'))
const tests = [
  ...(chosen.length === 0 || unit.length > 0
    ? [{ name: 'tests', command: `npm test --silent -- ${unit.join(' ')}` }]
    : []),
  ...(run.length > 0
    ? [
        {
          name: 'tests end to end',
          command: `npm run --silent test:e2e -- ${run.map(({ file }) => file).join(' ')}`,
        },
      ]
    : []),
]

const steps = [
  {
    name: 'lint',
    command: 'npm run --silent lint',
    next: 'npm run format    # corrects most of it; read what it leaves',
  },
  {
    name: 'types',
    command: 'npm run --silent type',
    next: 'npm run type      # again, once the lines above are corrected',
  },
  {
    name: 'schema.graphql and openapi.json',
    command: 'npm run --silent schema:print -- --check',
    next: 'npm run schema:print    # then read the change: git diff schema.graphql src/rest/openapi.json',
  },
  ...tests.flatMap((step) => [
    { ...step, name: `${step.name} on the embedded database` },
    ...(server ? [{ ...step, name: `${step.name} on PostgreSQL`, env: { DATABASE_URL: server } }] : []),
  ]),
  {
    name: 'changes that break clients',
    command: 'npm run --silent schema:check',
    next: 'commit it with the lines above at the end of its message, if clients may break',
  },
]

for (const { name, command, env, next } of steps) {
  const started = Date.now()
  console.log(`\n== ${name}`)
  const { status } = spawnSync(command, { shell: true, cwd: root, stdio: 'inherit', env: { ...environment, ...env } })
  if (status !== 0) {
    // The test run's own last lines are the command that runs the failed files again.
    console.error(`\nFailed: ${name}.${next ? ` Next:\n  ${next}` : ' Next: the command above.'}`)
    process.exit(status ?? 1)
  }
  console.log(`${name}: good, ${Math.round((Date.now() - started) / 1000)} s`)
}
console.log('\nAll is good. Left out:')
if (skipped.length > 0)
  console.log(`- tests end to end of what did not change (npm run test:e2e runs all):\n    ${skipped.join('\n    ')}`)
if (!server) console.log('- tests on PostgreSQL: DATABASE_URL is not set')
console.log('- what .ci/run adds: other Nodes, more effort, tests in a browser and of clients, advisories')
