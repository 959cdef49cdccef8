/**
 * The values of all limits. Other tests use the constants at n and n+1; here the constants have their documented
 * values.
 */
import { expect, test } from 'vitest'
import { MENU_DEPTH_MAX, MENU_ENTRIES_MAX, PATH_SLUGS_MAX } from '../../src/domain/catalog/menu.ts'
import { VIOLATIONS_MAX } from '../../src/domain/input/errors.ts'
import { FILTER_CLAUSES_MAX } from '../../src/domain/input/filter.ts'
import {
  ATTRIBUTE_KEYS_MAX,
  BUILD_RULES_MAX,
  BUNDLE_COMPONENTS_MAX,
  BUNDLE_OPTIONS_MAX,
  CATALOG_HIERARCHIES_MAX,
  CHILDREN_MAX,
  CURRENCIES_MAX,
  CUSTOM_INPUTS_MAX,
  EXTENSION_FIELDS_MAX,
  EXTENSIONS_MAX,
  FREE_NAME_MAX,
  LABEL_NAME_MAX,
  LABEL_ROWS_MAX,
  LABELS_MAX,
  LOCALES_MAX,
  NODE_CURATED_MAX,
  NODE_PRODUCTS_MAX,
  NODES_OF_PRODUCT_MAX,
  OFFERING_RECORDS_MAX,
  OPTION_MODIFIERS_MAX,
  PRICE_ROWS_MAX,
  PRODUCT_FILES_MAX,
  PRODUCT_TAGS_MAX,
  RULE_SCHEDULES_MAX,
  RULE_VALUES_MAX,
  SALE_BUNDLES_MAX,
  SALES_MAX,
  SKU_SUBSCRIPTION_PRODUCTS_MAX,
  TIERS_MAX,
  VALIDATION_RULES_MAX,
  VARIATION_OPTIONS_MAX,
  VARIATIONS_MAX,
} from '../../src/domain/input/limits.ts'
import { CONNECTION_DEFAULT, CONNECTION_MAX } from '../../src/domain/input/page.ts'
import { HEADER_MAX } from '../../src/domain/language/accept-language.ts'
import { COST_MAX } from '../../src/graphql/server/cost-tree.ts'
import { SCHEMA_WEIGHT } from '../../src/graphql/server/cost-weights.ts'
import { CACHED_TOKENS_MAX } from '../../src/graphql/server/document-cache.ts'
import {
  ALIASES_MAX,
  CHARACTERS_MAX,
  DEPTH_MAX,
  DIRECTIVES_MAX,
  LINES_MAX,
  TOKENS_MAX,
} from '../../src/graphql/server/document-limits.ts'
import { STREAMS_MAX, STREAMS_TEXT_MAX } from '../../src/graphql/server/open-streams.ts'
import { GRAPHQL_BODY_MAX } from '../../src/graphql/server/params.ts'
import { STREAM_REQUEST_MAX } from '../../src/graphql/server/subscribe.ts'
import { JSON_DEPTH_MAX } from '../../src/lib/json.ts'
import { FILTER_VALUES_MAX } from '../../src/persistence/database/record-conditions.ts'
import { CONNECTION_QUEUE_MAX } from '../../src/persistence/database/request-database.ts'
import {
  HEAVY_POINTS,
  HEAVY_WORK_MAX,
  LIGHT_WORK_MAX,
  QUEUE_TIMEOUT_MS,
  TOKEN_WORK_MAX,
  QUEUE_MAX as WORK_WAITING_MAX,
} from '../../src/request/concurrency-limiter.ts'
import {
  ADMIN_VALUES_MAX,
  KEYS_MAX,
  LONG_BODIES_MAX,
  LONG_BODIES_OF_ONE_MAX,
  SHOPPER_VALUES_MAX,
  SHORT_BODY_MAX,
} from '../../src/request/long-bodies.ts'
import { DOCUMENT_CHARACTERS_MAX, RESPONSE_CHARACTERS_MAX } from '../../src/request/request-work.ts'
import { BODY_MAX, OPEN_BODY_MAX } from '../../src/rest/http/body.ts'
import { HEAD_MAX, READY_MS } from '../../src/server/app.ts'
import { COMPRESSED_BYTES_MIN } from '../../src/server/compression.ts'
import { BODY_MS, FILE_SILENT_MS, HEAD_MS, KEEP_ALIVE_MS } from '../../src/server/connections.ts'
import { DEADLINE_MS, IN_FLIGHT_MAX, RECEIVED_MAX, UNSENT_MAX } from '../../src/server/in-flight-requests.ts'

test.each([
  ['http.bodies-are-bounded: a body of the facade', BODY_MAX, 1_048_576],
  ['http.bodies-are-bounded: a body where no token is needed', OPEN_BODY_MAX, 16_384],
  ['http.bodies-are-bounded: a body of /graphql', GRAPHQL_BODY_MAX, 8_388_608],
  ['http.bodies-are-bounded: values of a body of a shopper', SHOPPER_VALUES_MAX, 10_000],
  ['http.bodies-are-bounded: values of a body of an administrator', ADMIN_VALUES_MAX, 250_000],
  ['http.bodies-are-bounded: different keys of a body', KEYS_MAX, 10_000],
  ['http.long-bodies-take-turns: bytes of a short body', SHORT_BODY_MAX, 16_384],
  ['http.long-bodies-take-turns: bytes of all long bodies', LONG_BODIES_MAX, 25_165_824],
  ["http.long-bodies-take-turns: bytes of one token's long bodies", LONG_BODIES_OF_ONE_MAX, 16_777_216],
  ['filter.clauses-all-hold: clauses of a filter', FILTER_CLAUSES_MAX, 10],
  ['values of a filter of records', FILTER_VALUES_MAX, 30_000],
  ['graph.connections-both-ways: default page length', CONNECTION_DEFAULT, 25],
  ['graph.connections-both-ways: a page', CONNECTION_MAX, 100],
  ['violations of one response', VIOLATIONS_MAX, 100],
  ['rows of one bulk upsert', PRICE_ROWS_MAX, 1_000],
  ['labels of one call', LABEL_ROWS_MAX, 1_000],
  ['labels of a store', LABELS_MAX, 10_000],
  ['characters of a label in a language', LABEL_NAME_MAX, 255],
  ['names of tiers and sales', FREE_NAME_MAX, 1_024],
  ['currencies of a price', CURRENCIES_MAX, 200],
  ['tiers of a currency', TIERS_MAX, 100],
  ['sales of a price', SALES_MAX, 200],
  ['bundles of a sale', SALE_BUNDLES_MAX, 500],
  ['components of a bundle', BUNDLE_COMPONENTS_MAX, 100],
  ['options of a bundle', BUNDLE_OPTIONS_MAX, 500],
  ['tags of a product', PRODUCT_TAGS_MAX, 100],
  ['files of a product', PRODUCT_FILES_MAX, 100],
  ['custom inputs of a product', CUSTOM_INPUTS_MAX, 100],
  ['rules of a custom input', VALIDATION_RULES_MAX, 10],
  ['extensions of a product', EXTENSIONS_MAX, 100],
  ['fields of an extension', EXTENSION_FIELDS_MAX, 500],
  ['languages of a record', LOCALES_MAX, 200],
  ['variations of a product', VARIATIONS_MAX, 100],
  ['options of all variations', VARIATION_OPTIONS_MAX, 1_000],
  ['price modifiers of an option', OPTION_MODIFIERS_MAX, 100],
  ['build rules of a kind', BUILD_RULES_MAX, 1_000],
  ['children of a parent', CHILDREN_MAX, 1_000],
  ['nodes of a product', NODES_OF_PRODUCT_MAX, 500],
  ['curated products of a node', NODE_CURATED_MAX, 1_000],
  ['products that one call attaches', NODE_PRODUCTS_MAX, 100_000],
  ['hierarchies of a catalog', CATALOG_HIERARCHIES_MAX, 1_000],
  ['values of a criterion of a rule', RULE_VALUES_MAX, 1_000],
  ['schedules of a rule', RULE_SCHEDULES_MAX, 100],
  ['keys of free attributes', ATTRIBUTE_KEYS_MAX, 100],
  ['subscription products that a catalog product shows', SKU_SUBSCRIPTION_PRODUCTS_MAX, 100],
  ['products, and plans, of an offering', OFFERING_RECORDS_MAX, 1_000],
  ['menu.depth-first: levels of a menu', MENU_DEPTH_MAX, 10],
  ['node.path-of-slugs: slugs of a path', PATH_SLUGS_MAX, 100],
  ['menu.depth-first: entries of a menu', MENU_ENTRIES_MAX, 5_000],
  ['http.bodies-are-bounded: levels of a JSON body', JSON_DEPTH_MAX, 64],
  ['characters of a request for a stream', STREAM_REQUEST_MAX, 16_384],
  ['streams of a process', STREAMS_MAX, 10_000],
  ['characters of the requests of all streams', STREAMS_TEXT_MAX, 8_388_608],
  ['characters of an Accept-Language header', HEADER_MAX, 4_096],
  ['tokens of cached documents', CACHED_TOKENS_MAX, 100_000],
  ['depth of a document', DEPTH_MAX, 32],
  ['aliases of a document', ALIASES_MAX, 200],
  ['directives of a document', DIRECTIVES_MAX, 100],
  ['tokens of a document', TOKENS_MAX, 4_000],
  ['lines of a document', LINES_MAX, 2_000],
  ['characters of a document', CHARACTERS_MAX, 262_144],
  ['cost of an operation', COST_MAX, 100_000],
  ['characters of the products that a request reads', DOCUMENT_CHARACTERS_MAX, 12_582_912],
  ['characters of a response', RESPONSE_CHARACTERS_MAX, 8_388_608],
  ['points from which on a request is heavy', HEAVY_POINTS, 2_000],
  ['points of all light requests that run', LIGHT_WORK_MAX, 100_000],
  ['points of all heavy requests that run', HEAVY_WORK_MAX, 200_000],
  ["points of one token's heavy requests", TOKEN_WORK_MAX, 150_000],
  ['milliseconds that work waits for room', QUEUE_TIMEOUT_MS, 2_000],
  ['requests that wait for room', WORK_WAITING_MAX, 200],
  ['cost of the whole schema', SCHEMA_WEIGHT, 10_000],
  ['requests in flight', IN_FLIGHT_MAX, 1_000],
  ['requests that wait for a connection', CONNECTION_QUEUE_MAX, 1_000],
  ['milliseconds of a request', DEADLINE_MS, 30_000],
  ['milliseconds of a head', HEAD_MS, 20_000],
  ['milliseconds of a body behind its head', BODY_MS, 60_000],
  ['milliseconds without a byte of a file', FILE_SILENT_MS, 60_000],
  ['milliseconds of a connection between two requests', KEEP_ALIVE_MS, 65_000],
  ['milliseconds until /ready responds', READY_MS, 800],
  ['bytes from which a response is compressed', COMPRESSED_BYTES_MIN, 1_024],
  ['bytes that nobody reads', UNSENT_MAX, 268_435_456],
  ['bytes of requests without a response', RECEIVED_MAX, 268_435_456],
])('the limit of %s is %i', (_, limit, promised) => {
  expect(limit).toBe(promised)
})

test('filter.clauses-all-hold: a filter of 64 KiB fits a head, with room for the other headers', () => {
  expect(HEAD_MAX).toBeGreaterThanOrEqual(64 * 1024 + 8 * 1024)
})
