/** The figures that contract, decisions and README promise. Other tests stand at n and n+1 of these names; here the names have their values. */
import { expect, test } from 'vitest'
import { HEAD_MAX, READY_MS } from '../src/app.ts'
import { HEAD_MS, KEEP_ALIVE_MS, REQUEST_MS } from '../src/connections.ts'
import { HEADER_MAX } from '../src/domain/accept-language.ts'
import { VIOLATIONS_MAX } from '../src/domain/errors.ts'
import { FILTER_CLAUSES_MAX } from '../src/domain/filter.ts'
import { JSON_DEPTH_MAX } from '../src/domain/json.ts'
import { FREE_NAME_MAX, PRICE_ROWS_MAX } from '../src/domain/limits.ts'
import { CONNECTION_DEFAULT, CONNECTION_MAX } from '../src/domain/page.ts'
import { DEADLINE_MS, IN_FLIGHT_MAX, RECEIVED_MAX, UNSENT_MAX } from '../src/flights.ts'
import { COST_MAX } from '../src/graphql/cost-tree.ts'
import { SCHEMA_WEIGHT } from '../src/graphql/cost-weights.ts'
import { TOKENS_KEPT } from '../src/graphql/document-cache.ts'
import { ALIASES_MAX, CHARACTERS_MAX, DEPTH_MAX, DIRECTIVES_MAX, LINES_MAX, TOKENS_MAX } from '../src/graphql/document-limits.ts'
import { STREAMS_MAX, STREAMS_TEXT_MAX } from '../src/graphql/open-streams.ts'
import { BODY_MAX as GRAPHQL_BODY_MAX } from '../src/graphql/params.ts'
import { STREAM_REQUEST_MAX } from '../src/graphql/subscribe.ts'
import { WAITING_MAX } from '../src/persistence/request-database.ts'
import { DOCUMENT_CHARACTERS_MAX, RESPONSE_CHARACTERS_MAX } from '../src/request-work.ts'
import { BODY_MAX } from '../src/rest/body.ts'
import {
  HEAVY,
  HEAVY_WORK_MAX,
  LIGHT_WORK_MAX,
  TOKEN_WORK_MAX,
  WAITING_MS,
  WAITING_MAX as WORK_WAITING_MAX,
} from '../src/work-in-flight.ts'

test.each([
  ['HTTP-3 a body of the facade', BODY_MAX, 1_048_576],
  ['a body of /graphql', GRAPHQL_BODY_MAX, 8_388_608],
  ['HTTP-5 clauses of a filter', FILTER_CLAUSES_MAX, 10],
  ['GQL-2 a page when none is asked for', CONNECTION_DEFAULT, 25],
  ['GQL-2 a page', CONNECTION_MAX, 100],
  ['violations of one answer', VIOLATIONS_MAX, 100],
  ['rows of one bulk upsert', PRICE_ROWS_MAX, 1_000],
  ['names of tiers and sales', FREE_NAME_MAX, 1_024],
  ['levels of a JSON body', JSON_DEPTH_MAX, 64],
  ['characters of a request for a stream', STREAM_REQUEST_MAX, 16_384],
  ['streams of a process', STREAMS_MAX, 10_000],
  ['characters of the requests of all streams', STREAMS_TEXT_MAX, 8_388_608],
  ['characters of an Accept-Language header', HEADER_MAX, 4_096],
  ['tokens of the documents that are kept', TOKENS_KEPT, 100_000],
  ['depth of a document', DEPTH_MAX, 32],
  ['aliases of a document', ALIASES_MAX, 200],
  ['directives of a document', DIRECTIVES_MAX, 100],
  ['tokens of a document', TOKENS_MAX, 4_000],
  ['lines of a document', LINES_MAX, 2_000],
  ['characters of a document', CHARACTERS_MAX, 262_144],
  ['cost of an operation', COST_MAX, 100_000],
  ['characters of the products that a request reads', DOCUMENT_CHARACTERS_MAX, 12_582_912],
  ['characters of a response', RESPONSE_CHARACTERS_MAX, 8_388_608],
  ['points from which on a request is heavy', HEAVY, 2_000],
  ['points of all light requests that run', LIGHT_WORK_MAX, 100_000],
  ['points of all heavy requests that run', HEAVY_WORK_MAX, 200_000],
  ["points of one token's heavy requests", TOKEN_WORK_MAX, 150_000],
  ['milliseconds that work waits for room', WAITING_MS, 2_000],
  ['requests that wait for room', WORK_WAITING_MAX, 200],
  ['cost of the whole schema', SCHEMA_WEIGHT, 10_000],
  ['requests in flight', IN_FLIGHT_MAX, 1_000],
  ['requests that wait for a connection', WAITING_MAX, 1_000],
  ['milliseconds of a request', DEADLINE_MS, 30_000],
  ['milliseconds of a head', HEAD_MS, 20_000],
  ['milliseconds of a whole request', REQUEST_MS, 60_000],
  ['milliseconds of a connection between two requests', KEEP_ALIVE_MS, 65_000],
  ['milliseconds until /ready answers', READY_MS, 800],
  ['bytes that nobody reads', UNSENT_MAX, 268_435_456],
  ['bytes of requests that are not answered', RECEIVED_MAX, 268_435_456],
])('%s: %i', (_, limit, promised) => {
  expect(limit).toBe(promised)
})

test('HTTP-5 a filter of 64 KiB fits a head, with room for the other headers', () => {
  expect(HEAD_MAX).toBeGreaterThanOrEqual(64 * 1024 + 8 * 1024)
})
