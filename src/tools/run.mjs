// `node src/tools/run.mjs <entry> [arguments]` runs src/<entry>.ts: what a fresh clone lacks is made (prepare.mjs, build.mjs), and the
// bundle is imported into this very process, so that a signal reaches the server itself: no shell or loader stands between.
import { pathToFileURL } from 'node:url'
import { build, outputFile } from './build.mjs'

const [entry] = process.argv.splice(2, 1)
const folder = await build().catch((error) => {
  console.error(error.message)
  process.exit(1)
})
process.setSourceMapsEnabled(true)
await import(pathToFileURL(outputFile(folder, `src/${entry}.ts`)).href)
