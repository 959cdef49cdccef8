// After `npm ci`: makes in advance what the first start and the first test run need. It is optional: npm may run it before the packages are
// installed, or not at all.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const template = spawn(process.execPath, [fileURLToPath(new URL('./template.mjs', import.meta.url))], { stdio: 'ignore' })
try {
  const { build } = await import('./build.mjs')
  await build()
} catch {
  // The start reports the same error, where it is read.
}
await once(template, 'exit')
