/** GraphiQL's static files, from its package. They are read when the page is first opened. */
import { readPage } from '../../pages/html-response.ts'
import { createStaticFiles, type StaticFiles } from '../../pages/static-files.ts'

/** Path prefix of the files. */
export const FILES_PATH = '/graphql/graphiql/'

let loading: Promise<StaticFiles> | undefined

/** Loads the files, nine megabytes, once per process. */
export function graphiqlFiles(): Promise<StaticFiles> {
  loading ??= load()
  return loading
}

async function load(): Promise<StaticFiles> {
  const graphiql = await import('@graphql-yoga/render-graphiql/graphiql')
  return createStaticFiles(FILES_PATH, {
    'graphiql.js': withHistory(graphiql.js),
    'graphiql.css': graphiql.css,
    'editorWorkerService.worker.js': graphiql.editorWorkerService,
    'graphql.worker.js': graphiql.graphqlWorker,
    'json.worker.js': graphiql.jsonWorker,
    'page.css': readPage('graphiql.css'),
    'page.mjs': readPage('graphiql.mjs'),
  })
}

/**
 * The bundle with GraphiQL's history plugin beside its default one. It exports neither, and plugins that are passed to
 * it replace both.
 */
function withHistory(bundle: string): string {
  const [, history] = /const (\w+)=\{title:"History",icon:/.exec(bundle) ?? []
  return history
    ? bundle.replace(/plugins:\[(\w+)\],schemaDescription:/, `plugins:[${history},$1],schemaDescription:`)
    : bundle
}
