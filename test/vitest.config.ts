import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BriefReporter } from './support/brief-reporter.ts'
import { bundleTests } from './support/bundle.ts'
import { LongestFirst } from './support/longest-first.ts'
import { shortLived } from './support/start-command.ts'
import { useMemory } from './support/temporary-folder.ts'

// The sources do not load without the client of prisma/schema.prisma, which a fresh clone lacks.
const { prepare } = (await import(new URL('../src/tools/prepare.mjs', import.meta.url).href)) as { prepare(): string }
prepare()
useMemory()

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  plugins: [bundleTests],
  test: {
    // `npm test` leaves out what ends in .e2e.ts, `npm run test:e2e` what does not; by its name each file runs.
    include: ['test/**/*.test.ts', 'test/**/*.e2e.ts'],
    exclude: ['test/clients/**', '**/node_modules/**'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: process.env.TEST_SEED ? ['test/support/seed.ts'] : [],
    // Two more than the two processors that this is made for: tests wait for instants, for programs and for the thread
    // of their database. Four take 15 % less time than three.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Files of one worker share the modules of src: importing them anew for each file took half the time of the suite.
    isolate: false,
    // The embedded databases that tests open themselves live for seconds; those of the workers run in vitest's own
    // process.
    execArgv: [...shortLived],
    reporters: [new BriefReporter()],
    // For the reporters that print slow tests (`.ci/run`): many tests start servers, and a second is usual.
    slowTestThreshold: 30_000,
    // Only against what would never end: a machine that is shared may be many times slower, or stand still for a
    // minute. What is promised in seconds is asserted where it is.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
