import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** `npm run test:clients`: needs packages of its own, so it is no part of `npm test`. */
export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  // Packages load graphql's CommonJS form; a second form of it beside would not know their types.
  resolve: {
    alias: [
      { find: /^graphql$/, replacement: fileURLToPath(new URL('node_modules/graphql/index.js', import.meta.url)) },
    ],
  },
  test: {
    include: ['test/clients/*.test.ts'],
    globalSetup: ['test/clients/support/global-setup.ts'],
    maxWorkers: 2,
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    slowTestThreshold: 30_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
