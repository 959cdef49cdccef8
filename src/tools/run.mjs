// Runner: `node src/tools/run.mjs <entry> [arguments]` builds what is missing (prepare.mjs, build.mjs) and runs the
// bundle of src/<entry>.ts in its own process, so that signals reach the server without a shell or loader in between.
import { pathToFileURL } from 'node:url'
import { build, outputFile } from './build.mjs'

const [entry] = process.argv.splice(2, 1)
const folder = await build().catch((error) => {
  console.error(error.message)
  process.exit(1)
})
process.setSourceMapsEnabled(true)
await import(pathToFileURL(outputFile(folder, `src/${entry}.ts`)).href)
