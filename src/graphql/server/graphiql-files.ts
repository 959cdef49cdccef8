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
    'graphiql.js': graphiql.js,
    'graphiql.css': graphiql.css,
    'editorWorkerService.worker.js': graphiql.editorWorkerService,
    'graphql.worker.js': graphiql.graphqlWorker,
    'json.worker.js': graphiql.jsonWorker,
    'page.css': readPage('graphiql.css'),
    'page.mjs': readPage('graphiql.mjs'),
  })
}
