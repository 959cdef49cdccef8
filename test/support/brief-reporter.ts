/**
 * Brief reporter of `npm test` and `npm run test:e2e`: a line per file, the failed tests, then which tests did not run
 * and why, and the command that runs the failed files again; where no file was found, which command runs which.
 * `--reporter` on the command line takes its place, as `.ci/run` does.
 */
import { DefaultReporter, type TestCase, type TestModuleState } from 'vitest/node'

type RunEnd = Parameters<DefaultReporter['onTestRunEnd']>

export class BriefReporter extends DefaultReporter {
  /** Of a file's tests only the failed ones have a line. */
  protected override printTestCase(moduleState: TestModuleState, test: TestCase): void {
    if (test.result().state === 'failed') super.printTestCase(moduleState, test)
  }

  override onTestRunEnd(...[modules, errors, reason]: RunEnd): void {
    super.onTestRunEnd(modules, errors, reason)
    if (modules.length === 0)
      this.log(
        '`npm test -- FILE` runs files that end in .test.ts, `npm run test:e2e -- FILE` those that end in .e2e.ts.\n',
      )
    const titles = modules.flatMap((module) => [...module.children.allTests('skipped')]).map(({ fullName }) => fullName)
    for (const line of this.ctx.config.testNamePattern ? [] : notRunLines(titles)) this.log(line)
    const failed = modules.filter((module) => !module.ok()).map((module) => this.relative(module.moduleId))
    if (failed.length > 0) this.log(`\nRun what failed again:\n  ${rerunCommand(failed, process.env.DATABASE_URL)}\n`)
  }
}

/** What a title says in brackets that its test needs, and how to give it. */
const needs: Readonly<Record<string, string>> = {
  'needs PostgreSQL':
    'PostgreSQL is needed: set DATABASE_URL (some tests start a server of their own, with the programs of PostgreSQL)',
  'needs sample data': 'files of real data are needed: set SAMPLE_DATA_DIR',
  'needs Prometheus': 'the programs prometheus and promtool are needed (apt-get install prometheus)',
  'needs nginx': 'nginx is needed: apt-get install nginx-light',
  'needs PgBouncer': 'PgBouncer is needed: apt-get install pgbouncer',
  'needs the right to mount': 'a file system must be mounted: run as root',
  'embedded only': 'they are for the embedded database: unset DATABASE_URL',
}

/** A line per reason with the number of its tests; tests whose title gives no reason are named. */
export function notRunLines(titles: readonly string[]): string[] {
  const known = Object.entries(needs).flatMap(([need, how]) => {
    const count = titles.filter((title) => title.includes(`[${need}]`)).length
    return count > 0 ? [`Not run (${count}), since ${how}`] : []
  })
  const silent = titles.filter((title) => !Object.keys(needs).some((need) => title.includes(`[${need}]`)))
  return [...known, ...silent.map((title) => `Not run, for no reason that its title gives: ${title}`)]
}

/**
 * The command that runs `files` again, on the same kind of database. Without the address, which may hold a password.
 */
export function rerunCommand(files: readonly string[], databaseUrl: string | undefined): string {
  return `${databaseUrl ? 'DATABASE_URL=$DATABASE_URL ' : ''}npx vitest run -c test/vitest.config.ts ${files.join(' ')}`
}
