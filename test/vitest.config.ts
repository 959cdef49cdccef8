import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BriefReporter } from './support/brief-reporter.ts'
import { LongestFirst } from './support/longest-first.ts'
import { shortLived } from './support/start-command.ts'

// The sources do not load without the client of prisma/schema.prisma, which a fresh clone lacks.
execFileSync(process.execPath, [fileURLToPath(new URL('../src/tools/prepare.mjs', import.meta.url))], { stdio: 'inherit' })

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  // Packages load graphql's CommonJS form; a second form of it beside would not know their types.
  resolve: { alias: [{ find: /^graphql$/, replacement: fileURLToPath(new URL('../node_modules/graphql/index.js', import.meta.url)) }] },
  test: {
    // `npm test` leaves out what ends in .e2e.ts, `npm run test:e2e` what does not; by its name each file runs.
    include: ['test/**/*.test.ts', 'test/**/*.e2e.ts'],
    exclude: ['test/clients/**', '**/node_modules/**'],
    globalSetup: ['test/support/global-setup.ts'],
    // Two more than the two processors that this is made for: tests wait for instants, for programs and for the thread of their database.
    // Four take 15 % less time than three.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Files of one worker share the modules of src: importing them anew for each file took half the time of the suite.
    isolate: false,
    // Keeps in node_modules what each source, by its content, is compiled to: compiling takes a quarter of the run of one file.
    experimental: { fsModuleCache: true },
    // The embedded databases that tests open themselves live for seconds; those of the workers run in vitest's own process.
    execArgv: [...shortLived],
    reporters: [new BriefReporter()],
    // For the reporters that print slow tests (`.ci/run`): many tests start servers, and a second is usual.
    slowTestThreshold: 30_000,
    // Only against what would never end: a machine that is shared may be many times slower, or stand still for a minute. What is promised
    // in seconds is asserted where it is.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
