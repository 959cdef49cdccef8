// After `npm ci`: makes ahead what the first start and the first test run would make, so that they answer sooner. All of it is optional:
// npm may run this before the packages are there, or not at all.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const template = spawn(process.execPath, [fileURLToPath(new URL('./template.mjs', import.meta.url))], { stdio: 'ignore' })
try {
  const { build } = await import('./build.mjs')
  await build()
} catch {
  // The start says what is wrong, where somebody reads it.
}
await once(template, 'exit')
