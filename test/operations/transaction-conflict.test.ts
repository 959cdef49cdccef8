import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useDatabase } from '../support/database.ts'
import { useServer } from '../support/server.ts'

const database = useDatabase()
const server = useServer(database)
const BOOK = '0190a000-0000-7000-8000-00000000000a'

describe('http.lost-database-is-unavailable: a write that other transactions are in the way of, at each of its four attempts', () => {
  beforeAll(async () => {
    await database.pool.query(`
      CREATE SEQUENCE attempt;
      CREATE FUNCTION refuse_attempt() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM nextval('attempt');
        RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01';
      END $$;
      CREATE TRIGGER refuse_attempt BEFORE INSERT ON product_price FOR EACH ROW EXECUTE FUNCTION refuse_attempt()`)
  })
  afterAll(() => database.pool.query('DROP FUNCTION refuse_attempt CASCADE; DROP SEQUENCE attempt'))

  it('a write that other transactions hinder at each of its four attempts is 503 with Retry-After by REST and SERVICE_UNAVAILABLE in the graph, and no internal error', async () => {
    await database.pool.query(
      "INSERT INTO price_book (id, name, created_at, updated_at) VALUES ($1, 'Retail', now(), now())",
      [BOOK],
    )
    const body = { data: { type: 'product-price', attributes: { sku: 'A', currencies: {} } } }
    const { status, headers } = await server.rest('POST', `/pcm/pricebooks/${BOOK}/prices`, { body })
    const { errors } = await server.gql(
      `mutation { addProductPrice(input: { priceBookId: "${BOOK}", sku: "A", prices: [] }) { userErrors { code } } }`,
    )
    expect([
      status,
      headers.get('retry-after'),
      errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code),
    ]).toEqual([503, '1', ['SERVICE_UNAVAILABLE']])
    const { rows } = await database.pool.query<{ attempts: string }>('SELECT last_value AS attempts FROM attempt')
    expect(Number(rows[0]?.attempts)).toBe(8)
  })
})
