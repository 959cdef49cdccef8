/** Names of releases, as administrators give, change and read them, and as no shopper does. */
import { beforeEach, describe, expect, it } from 'vitest'
import { FREE_NAME_MAX } from '../../../src/domain/input/limits.ts'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { mutate } from '../../support/mutations.ts'
import { publishStore } from '../../support/published.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)

const DAY = 86_400_000
/** The instant of the schedule. */
const TURN = START + 10 * DAY
const iso = (instant: number) => new Date(instant).toISOString()
const unknown = '0199c0de-0000-7000-8000-0000000000ff'
const LONGEST = '🎄'.repeat(FREE_NAME_MAX)

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
type Any = any

beforeEach(async () => {
  await reset(database)
  server.now = START
  server.services.releases.invalidate()
  await publishStore(server, fullStore())
})

const describeMachine = (text: string) =>
  database.pool.query('UPDATE product SET description = $1 WHERE id = $2', [text, ids.machine])
const tokenOf = async (role: 'admin' | 'shopper') =>
  (await server.issue({ subject: role, role }, Math.floor(server.now / 1000) * 1000)).token
const change = async (name: string, input: object, selected = 'release { id name sequence updatedAt }'): Promise<Any> =>
  mutate(server, name, input, selected, { token: await tokenOf('admin') })
const publish = (more: object = {}): Promise<Any> => change('publishRelease', { catalogId: ids.catalog, ...more })
const rename = (id: string, more: object): Promise<Any> => change('updateRelease', { id, ...more })
const ask = async (query: string, role: 'admin' | 'shopper' = 'admin'): Promise<Any> =>
  server.gql(query, {}, { token: await tokenOf(role) })
const nameOf = async (id: string) => (await ask(`{ release(id: "${id}") { name } }`)).data.release.name
const catalog = async (fields: string, role: 'admin' | 'shopper' = 'admin') =>
  (await ask(`{ catalog(id: "${ids.catalog}") { ${fields} } }`, role)).data.catalog
const christmas = async (): Promise<string> => (await publish({ at: iso(TURN), name: 'Christmas' })).release.id
const refused = (code: string, path = 'name') => ({ release: null, userErrors: [{ code, path: [path] }] })

describe('release.name-for-administrators: the name of a release', () => {
  it('is given with a publish at once and for later, and stands in every list of releases', async () => {
    expect((await publish({ name: 'Spring' })).release.name).toBe('Spring')
    const { release: later } = await publish({ at: iso(TURN), name: 'Christmas' })
    expect(later.name).toBe('Christmas')
    expect(
      await catalog('latestRelease { name } scheduledReleases { name } releases { nodes { name } } draft { name }'),
    ).toEqual({
      latestRelease: { name: 'Spring' },
      scheduledReleases: [{ name: 'Christmas' }],
      releases: { nodes: [{ name: 'Christmas' }, { name: 'Spring' }, { name: null }] },
      draft: { name: null },
    })
    expect(await nameOf(later.id)).toBe('Christmas')
  })

  it('is given with a publish from a draft, and with a publish of a part, which does not have the name of the latest', async () => {
    await describeMachine('One.')
    const draft = (await catalog('draft { id }')).draft.id
    expect((await publish({ fromDraft: draft, name: 'Spring' })).release).toMatchObject({ id: draft, name: 'Spring' })
    const only = { products: [ids.machine] }
    await describeMachine('Two.')
    expect((await publish({ only, name: 'A correction' })).release.name).toBe('A correction')
    await describeMachine('Three.')
    expect((await publish({ only })).release.name).toBeNull()
  })

  it('may be one that another release of the catalog has', async () => {
    expect((await publish({ name: 'Christmas' })).release.name).toBe('Christmas')
    expect((await publish({ name: 'Christmas' })).release.name).toBe('Christmas')
  })

  it('is kept by neither a dry run nor a draft', async () => {
    await describeMachine('One.')
    const only = { products: [ids.machine] }
    expect((await publish({ dryRun: true, name: 'Spring' })).release.name).toBeNull()
    expect((await publish({ dryRun: true, name: 'Spring', only })).release.name).toBeNull()
    const draft = (await catalog('draft { id }')).draft.id
    expect(await rename(draft, { name: 'Spring' })).toMatchObject({
      release: { id: draft, name: null },
      userErrors: [{ code: 'ACTION_REFUSED', path: ['id'] }],
    })
    expect(await nameOf(draft)).toBeNull()
  })

  it(`has 1 to ${FREE_NAME_MAX} characters and is not blank, or nothing is published or changed`, async () => {
    const id = await christmas()
    for (const [name, code] of [
      [`${LONGEST}x`, 'TOO_LONG'],
      ['', 'TOO_SHORT'],
      [' ', 'INVALID_TEXT'],
      ['\0', 'INVALID_TEXT'],
    ] as const) {
      expect(await publish({ name })).toMatchObject(refused(code))
      expect(await publish({ name, dryRun: true })).toMatchObject(refused(code))
      expect(await rename(id, { name })).toMatchObject(refused(code))
    }
    expect(await catalog('releases { totalCount }')).toEqual({ releases: { totalCount: 2 } })
    expect(await nameOf(id)).toBe('Christmas')
    expect((await publish({ name: LONGEST })).release.name).toBe(LONGEST)
    expect((await rename(id, { name: LONGEST })).release.name).toBe(LONGEST)
    expect((await rename(id, { name: 'X' })).release.name).toBe('X')
  })

  it('is changed and taken away of a scheduled release, the latest and an older one, by id and by UUID', async () => {
    const older = (await catalog('releases { nodes { id } }')).releases.nodes[0].id
    const latest = (await publish()).release.id
    for (const id of [await christmas(), latest, older]) {
      expect(await rename(id, { name: 'New Year' })).toMatchObject({
        release: { id, name: 'New Year' },
        userErrors: [],
      })
      expect(await nameOf(id)).toBe('New Year')
      expect((await rename(id, { name: null })).release.name).toBeNull()
      expect(await nameOf(id)).toBeNull()
    }
    const { rows } = await database.pool.query('SELECT id FROM release WHERE sequence = 1')
    expect((await rename(rows[0].id, { name: 'First' })).release).toMatchObject({ id: older, name: 'First' })
  })

  it('of an unknown release, or by an id that is none, is not changed', async () => {
    expect(await rename(globalId('Release', unknown), { name: 'X' })).toMatchObject(refused('NOT_FOUND', 'id'))
    expect(await rename('x', { name: 'X' })).toMatchObject(refused('INVALID_FORMAT', 'id'))
  })

  it('an absent and an equal one write nothing; each change moves updatedAt and is an entry in history', async () => {
    const id = await christmas()
    const history = async () =>
      (await ask(`{ release(id: "${id}") { updatedAt history { nodes { operation before after } } } }`)).data.release
    const before = await history()
    expect((await rename(id, {})).release.name).toBe('Christmas')
    expect((await rename(id, { name: 'Christmas' })).release.name).toBe('Christmas')
    expect(await history()).toEqual(before)
    // Two changes at one instant are two versions.
    const [one, two] = [await rename(id, { name: 'X-mas' }), await rename(id, { name: 'Yule' })]
    expect(Date.parse(one.release.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt))
    expect(Date.parse(two.release.updatedAt)).toBeGreaterThan(Date.parse(one.release.updatedAt))
    const after = await history()
    expect(after.updatedAt).toBe(two.release.updatedAt)
    expect(after.history.nodes.slice(0, 2)).toMatchObject([
      { operation: 'updateRelease', before: { name: 'X-mas' }, after: { name: 'Yule' } },
      { operation: 'updateRelease', before: { name: 'Christmas' }, after: { name: 'X-mas' } },
    ])
    expect(after.history.nodes).toHaveLength(before.history.nodes.length + 2)
  })

  it('is refused to a shopper, who sees neither that it changed nor an updatedAt of it', async () => {
    const { id } = (await publish({ name: 'Black Friday test' })).release
    const fields = `latestRelease { id updatedAt pinned { updatedAt } } releases { nodes { id updatedAt } }`
    const before = await catalog(fields, 'shopper')
    await rename(id, { name: 'Black Friday' })
    expect(await catalog(fields, 'shopper')).toEqual(before)
    for (const query of [
      `{ release(id: "${id}") { name } }`,
      `{ catalog(id: "${ids.catalog}") { latestRelease { name } } }`,
      `{ catalog(id: "${ids.catalog}") { releases { nodes { name } } } }`,
    ]) {
      const { errors, data } = await ask(query, 'shopper')
      expect(errors[0].extensions.code).toBe('FORBIDDEN')
      expect(JSON.stringify([errors, data])).not.toContain('Black')
    }
    const input = { id, name: 'Mine' }
    const { errors } = await mutate(server, 'updateRelease', input, 'release { id }', {
      token: await tokenOf('shopper'),
    })
    expect(errors[0].extensions.code).toBe('FORBIDDEN')
    expect(await nameOf(id)).toBe('Black Friday')
  })

  it('costs pages of shoppers no statement, with updatedAt too', async () => {
    const query = `{ catalog(id: "${ids.catalog}") { latestRelease { sequence updatedAt } } }`
    await ask(query, 'shopper')
    const token = await tokenOf('shopper')
    expect((await countStatements(database, () => server.gql(query, {}, { token }))).statements).toEqual([])
  })
})

describe('release.name-stays: the name of a release', () => {
  it('is handed to the release that it is carried into, whose name is changed by the id of either', async () => {
    const id = await christmas()
    await describeMachine('Makes coffee.')
    const { release } = await change(
      'publishRelease',
      { catalogId: ids.catalog, name: 'A correction' },
      'release { name carries { release { id name sequence } } }',
    )
    expect(release).toMatchObject({
      name: 'A correction',
      carries: [{ release: { name: 'Christmas', sequence: 4 } }],
    })
    const carried = release.carries[0].release.id
    expect(carried).not.toBe(id)
    expect((await rename(id, { name: 'X-mas' })).release).toMatchObject({ id: carried, name: 'X-mas' })
    expect(await nameOf(id)).toBe('Christmas')
    await describeMachine('Makes good coffee.')
    await publish()
    server.now = TURN
    expect(await catalog('latestRelease { name sequence }')).toEqual({ latestRelease: { name: 'X-mas', sequence: 6 } })
  })

  it('stays when it is restored, when its instant comes and when that is moved', async () => {
    const id = await christmas()
    await change('restoreRelease', { releaseId: id, at: iso(TURN + DAY) })
    server.now = TURN + DAY
    expect((await catalog('latestRelease { name }')).latestRelease.name).toBe('Christmas')
    await publish({ name: 'January' })
    expect((await change('restoreRelease', { releaseId: id })).release).toMatchObject({ id, name: 'Christmas' })
    expect((await catalog('latestRelease { name }')).latestRelease.name).toBe('Christmas')
  })

  it('is not changed by the id of the latest release, which names another one after the next publish', async () => {
    const { data } = await ask(`{ catalog(id: "${ids.catalog}") { latestRelease { id pinned { id } } } }`)
    const { id, pinned } = data.catalog.latestRelease
    const payload = await change('updateRelease', { id, name: 'Spring' }, 'release { id } userErrors { message }')
    expect(payload).toMatchObject({
      release: null,
      userErrors: [
        { message: expect.stringMatching(/names whatever Release is the latest: give the id of its `pinned`$/) },
      ],
    })
    expect((await rename(pinned.id, { name: 'Spring' })).release.name).toBe('Spring')
  })
})
