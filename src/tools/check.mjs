// `npm run check`: what CI asks of a change, in the order of what fails soonest. Stops at the first failure and prints what to type next.
// `npm run check -- test/rest` runs the tests of these files or folders alone, end to end those of files that are named. With DATABASE_URL
// it also runs the tests on that PostgreSQL. CI (.ci/run) always runs them on PostgreSQL, on Node 22, and adds the tests on the embedded
// database on Node 24, in a browser (`npm run test:browser`) and with clients of the graph (`npm run test:clients`), and asks the registry
// for advisories.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { DATABASE_URL: server, ...environment } = process.env
const chosen = process.argv.slice(2)
const isEndToEnd = (file) => file.endsWith('.e2e.ts')
const tests = [
  { name: 'tests', script: 'test', files: chosen.filter((file) => !isEndToEnd(file)) },
  { name: 'tests end to end', script: 'test:e2e', files: chosen.filter(isEndToEnd) },
]
  .filter(({ files }) => chosen.length === 0 || files.length > 0)
  .map(({ name, script, files }) => ({ name, command: ['npm run --silent', script, '--', ...files].join(' ') }))

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
console.log(`\nAll is good.${server ? '' : ' DATABASE_URL is not set, so nothing ran on PostgreSQL.'}`)
