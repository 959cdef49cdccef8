import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { Bundling, bundleTests } from '../support/bundle.ts'
import { useMemory } from '../support/temporary-folder.ts'

useMemory()

/** `npm run test:browser`: needs a Chromium, see test/README.md, so it is no part of `npm test`. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  plugins: [bundleTests],
  test: {
    include: ['test/browser/*.browser.ts'],
    globalSetup: ['test/support/demo-store.ts'],
    // Each file has a browser, a server and a database of its own. One at a time uses less than one processor, and
    // takes twice as long.
    maxWorkers: 2,
    sequence: { sequencer: Bundling },
    isolate: false,
    // One fills and publishes 30,000 products on the embedded database, beside all other tests.
    testTimeout: 3_000_000,
    hookTimeout: 3_000_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
