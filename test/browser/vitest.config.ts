import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** `npm run test:browser`: needs a Chromium at /usr/bin/chromium or CHROMIUM_PATH, so it is no part of `npm test`. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/browser/*.browser.ts'],
    // Each file has a browser, a server and a database of its own. One at a time uses less than one processor, and takes twice as long.
    maxWorkers: 2,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
