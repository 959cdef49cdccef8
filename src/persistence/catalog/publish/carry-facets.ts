/**
 * Facets of a carried release: those of the release that it came from, with the documents that were replaced. The steps
 * of a publish write those of the new documents, and all of them where the limits of facets decide.
 *
 * SQL, since a carry runs in the transaction of a publish, whose connection is not Prisma's.
 */
import type { CarriedProduct } from '../../../domain/catalog/carry.ts'
import { FACET_DISTINCT_MAX, FACET_FIELDS_MAX, FACET_TEXT_MAX } from '../../../domain/catalog/facet-limits.ts'
import type { ProductOrder } from '../../../domain/catalog/product-order.ts'
import type { Queryable } from '../../database/query.ts'
import { numbersOf } from './carry-documents.ts'
import { facetSteps } from './facets.ts'
import { runSteps } from './run.ts'
import type { ReleaseBuild, StepTables } from './selection.ts'

/** Documents as steps read them, with the fields of their products. */
const tables: StepTables = { documents: 'carried_document', products: 'carried_document' }

const createTable = `CREATE TEMP TABLE IF NOT EXISTS carried_document (
  id uuid, product_id uuid, document_id int, rank int, tags text[], component_ids uuid[], is_bundle boolean, base_id uuid,
  is_parent boolean, variations jsonb, extensions jsonb) ON COMMIT DROP;
TRUNCATE carried_document`

const json = (place: number): string => `nullif((body -> 0 -> ${place})::jsonb, 'null')`

const fillTable = `
WITH listed AS (
  SELECT d.*, l.position, ${json(10)} AS components
  FROM unnest($1::int[]) WITH ORDINALITY l (id, position) JOIN release_document d ON d.id = l.id)
INSERT INTO carried_document
SELECT product_id, product_id, id, position,
  ARRAY(SELECT json_array_elements_text(body -> 0 -> 8)),
  ARRAY(SELECT DISTINCT (o #>> '{}')::uuid FROM jsonb_path_query(components, '$.*.options[*].id') o),
  coalesce(components, '{}') <> '{}', (body -> 0 ->> 16)::uuid, body -> 0 ->> 20 IS NOT NULL,
  ${json(14)}, ${json(12)}
FROM listed`

/** Fills the table with documents. */
async function fill(on: Queryable, documents: ArrayLike<number>): Promise<void> {
  await on.query(createTable)
  await on.query(fillTable, [Array.from(documents)])
}

const others = "field NOT IN ('families', 'variation_names', 'sort_orders')"

// The array is a parameter, which PostgreSQL hashes.
const copyFacets = `
INSERT INTO release_facet (release_id, field, value, documents)
SELECT $1::uuid, field, value, kept
FROM (
  SELECT field, value, ARRAY(SELECT d FROM unnest(documents) d WHERE d <> ALL ($3::int[])) AS kept
  FROM release_facet WHERE release_id = $2::uuid AND ${others}) f
WHERE kept <> '{}'
ON CONFLICT (release_id, field, value) DO UPDATE SET documents = release_facet.documents || excluded.documents`

/** Whether the limits of facets decide which fields are facets. */
const meetsLimits = `
SELECT EXISTS (SELECT FROM release_facet WHERE release_id = ANY ($1::uuid[]) AND field = 'too_many_values')
  OR EXISTS (
    SELECT FROM release_facet WHERE release_id = ($1::uuid[])[1] AND field LIKE '[%'
    GROUP BY field HAVING count(*) > ${FACET_DISTINCT_MAX})
  OR EXISTS (
    SELECT FROM release_facet WHERE release_id = ($1::uuid[])[1] AND field LIKE '[%'
    GROUP BY split_part(field, '"', 2) HAVING count(DISTINCT field) > ${FACET_FIELDS_MAX}) AS meets`

/** The steps whose rows say what most parents say. */
const OF_PARENTS = ['names of variations in other languages', 'sort orders of options']
const CHILDLESS = 'options without children'
const allSteps = facetSteps(tables)
// Options without children are also those of parents that no document has.
const steps = allSteps.filter(({ name }) => name !== CHILDLESS)
const ofNewDocuments = steps.filter(({ name }) => name !== 'families' && !OF_PARENTS.includes(name))
const ofParents = steps.filter(({ name }) => OF_PARENTS.includes(name))

/** The releases that a carried release comes from, by raw id. */
interface Sources {
  readonly former: string
  readonly latest: string
  readonly scheduled: string
}

/** Writes the facets of `release`, which has the products `all`. */
export async function writeFacets(
  on: Queryable,
  release: ReleaseBuild,
  { scheduled: from, ...change }: Sources,
  products: readonly CarriedProduct[],
  all: ProductOrder,
): Promise<void> {
  const come = products.flatMap(({ after }) => (after ? [after.number] : []))
  const gone = products.flatMap(({ before }) => (before === 0 ? [] : [before]))
  await fill(on, come)
  await runSteps(on, ofNewDocuments, release)
  await on.query(copyFacets, [release.id, from, gone])
  const { rows } = await on.query<{ meets: boolean }>(meetsLimits, [[release.id, from]])
  if (rows[0]?.meets) {
    await on.query('DELETE FROM release_facet WHERE release_id = $1', [release.id])
    await fill(on, all.documents)
    await runSteps(on, steps, release)
  } else {
    await writeOfParents(on, release, from, [...gone, ...come])
    await writeFamilies(on, release, from, products, all)
  }
  const replaced = products.filter(({ after }) => after !== null).map(({ before }) => before)
  const links = await on.query<{ parent: string }>(linksOf, [[...gone, ...come]])
  const parents = await numbersOf(on, [...new Set(links.rows.map(({ parent }) => parent))], all)
  const known = [...come, ...parents.values()]
  await on.query(insertChildless, [release.id, from, change.former, change.latest, known, replaced])
}

const childlessOf = (release: string): string =>
  `SELECT field, value FROM release_facet WHERE release_id = ${release}::uuid AND field LIKE 'childless %'`

const optionsIn = (documents: string): string => `
  SELECT 'childless ' || (o ->> 'id') AS field, jsonb_build_array(v ->> 'name', o ->> 'name')::text AS value,
    length(v ->> 'name') <= ${FACET_TEXT_MAX} AND length(o ->> 'name') <= ${FACET_TEXT_MAX} AS is_short
  FROM release_document d CROSS JOIN LATERAL jsonb_array_elements(coalesce(nullif((d.body -> 0 -> 14)::jsonb, 'null'), '[]')) v
  CROSS JOIN LATERAL jsonb_array_elements(v -> 'options') o WHERE d.id = ANY (${documents}::int[])`

/**
 * The options that no child has: those of changed parents by their documents ($5 of now, $6 of before), the others as
 * the schedule ($2) and the publish ($3 to $4) have them.
 */
const insertChildless = `
WITH known AS (${optionsIn('$5')}),
others AS (
  (${childlessOf('$2')} EXCEPT (${childlessOf('$3')} EXCEPT ${childlessOf('$4')}))
  UNION (${childlessOf('$4')} EXCEPT ${childlessOf('$3')})),
wanted AS (
  SELECT field, value FROM known WHERE is_short
  UNION SELECT field, value FROM others WHERE field NOT IN (SELECT field FROM known UNION SELECT field FROM (${optionsIn('$6')}) b)),
child AS (
  SELECT unnest(documents) AS id FROM release_facet WHERE release_id = $1::uuid AND field = 'product_types' AND value = 'child')
INSERT INTO release_facet (release_id, field, value, documents)
SELECT $1::uuid, field, value, '{}' FROM wanted w
WHERE NOT EXISTS (SELECT FROM release_option o JOIN child c ON c.id = o.document_id WHERE o.option_id = substr(w.field, 11)::uuid)`

const areSaid = `
SELECT EXISTS (
  SELECT FROM release_document WHERE id = ANY ($1::int[]) AND body -> 0 ->> 20 IS NOT NULL
    AND ((body -> 0 -> 14)::jsonb @? '$.**.locales' OR (body -> 0 -> 14)::jsonb @? '$[*].options[*].sort_order')) AS "areSaid"`

const parentsOf = `SELECT documents FROM release_facet WHERE release_id = $1::uuid AND field = 'product_types' AND value = 'parent'`

/**
 * The names of variations in other languages and the sort orders of options are those of most parents, so they are
 * counted anew when one changes.
 */
async function writeOfParents(on: Queryable, release: ReleaseBuild, from: string, changed: readonly number[]) {
  const { rows } = await on.query<{ areSaid: boolean }>(areSaid, [changed])
  if (!rows[0]?.areSaid) {
    const copy = `INSERT INTO release_facet (release_id, field, value, documents)
      SELECT $1::uuid, field, value, documents FROM release_facet WHERE release_id = $2::uuid AND field IN ('variation_names', 'sort_orders')`
    await on.query(copy, [release.id, from])
    return
  }
  const parents = await on.query<{ documents: number[] }>(parentsOf, [release.id])
  await fill(on, parents.rows[0]?.documents ?? [])
  await runSteps(on, ofParents, release)
}

/** Children beside their parents. */
async function writeFamilies(
  on: Queryable,
  release: ReleaseBuild,
  from: string,
  products: readonly CarriedProduct[],
  all: ProductOrder,
): Promise<void> {
  // A list is read as JSON in a fifth of the time of an array.
  const stored = await on.query<{ documents: number[] }>(
    `SELECT to_json(documents) AS documents FROM release_facet WHERE release_id = $1::uuid AND field = 'families'`,
    [from],
  )
  const pairs = stored.rows[0]?.documents ?? []
  const half = pairs.length / 2
  const come = products.flatMap(({ after }) => (after ? [after.number] : []))
  const links = await on.query<{ child: string; parent: string }>(linksOf, [come])
  const numbers = await numbersOf(on, [...new Set(links.rows.flatMap(({ child, parent }) => [child, parent]))], all)
  const linked = new Map<number, number>()
  for (const link of links.rows) {
    const [child, parent] = [numbers.get(link.child), numbers.get(link.parent)]
    if (child !== undefined && parent !== undefined) linked.set(child, parent)
  }
  const gone = new Set(products.map(({ before }) => before))
  const [children, parents] = [[...linked.keys()], [...linked.values()]]
  for (let at = 0; at < half; at++) {
    const [child, parent] = [pairs[at] as number, pairs[half + at] as number]
    if (gone.has(child) || gone.has(parent) || linked.has(child)) continue
    children.push(child)
    parents.push(parent)
  }
  if (children.length === 0) return
  await on.query(
    `INSERT INTO release_facet (release_id, field, value, documents) VALUES ($1::uuid, 'families', '', $2::int[])`,
    [release.id, `{${children.concat(parents).join()}}`],
  )
}

/** The families of documents, as children and as parents. */
const linksOf = `
WITH document AS (SELECT product_id, body -> 0 AS product FROM release_document WHERE id = ANY ($1::int[]))
SELECT product_id AS child, (product ->> 16)::uuid AS parent FROM document WHERE product ->> 16 IS NOT NULL
UNION
SELECT (c ->> 0)::uuid, product_id FROM document CROSS JOIN LATERAL json_array_elements(product -> 20) c
WHERE product ->> 20 IS NOT NULL`
