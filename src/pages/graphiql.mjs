// GraphiQL in the browser: editor workers, example tabs, and whose token each tab sends.
const root = document.getElementById('root')
const settingsOf = (page) => JSON.parse(page.getElementById('root').dataset.settings)
const settings = settingsOf(document)
const { folder, tabs: examples } = settings
let { tokens } = settings
/** Signs in at the identity provider, where the server says how (token.pages-sign-in). */
const signIn = settings.signIn && (await import(settings.signIn.module)).createSignIn(settings.signIn)

/** Where GraphiQL stores its tabs, which have no headers there. */
const TABS = 'graphiql:tabState'
/** Where the roles are stored that were chosen by hand, by the id of the tab; '' has the one for new tabs. */
const ROLES = 'commerce-graph:roles'

// With globalAPI the editors are reachable as `monaco`; fillToken uses that to write the headers.
self.MonacoEnvironment = { globalAPI: true, getWorkerUrl: (_, label) => `${folder}/${label}.worker.js` }

function stored(name, absent) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? absent
  } catch {
    return absent
  }
}

const chosen = stored(ROLES, {})
/** The role of a tab: as chosen by hand, else the example's, else that for new tabs. */
const roleOf = ({ id, query }) =>
  chosen[id] ?? examples.find((example) => example.query === query)?.role ?? chosen[''] ?? 'admin'
const bearer = (role) => `Bearer ${tokens?.[role] ?? ''}`
/** The roles of the headers that the page fills in, also of those whose token has expired. */
const ours = new Map(Object.keys(tokens ?? {}).map((role) => [bearer(role), role]))
/** The text of a tab's headers; GraphQL-Cost makes the response say what it cost. */
const headersOf = (role, others = { 'GraphQL-Cost': '1' }) =>
  JSON.stringify({ ...(!signIn && { Authorization: bearer(role) }), ...others }, null, 2)

// The first visit opens the examples. The address can add tabs: `?examples` adds the examples that are missing, and
// `example` names the one to show; `?query` adds a query, with its `variables` and `role`. They are written to the
// stored tabs before GraphiQL reads these: its own default tabs have no id until one is opened, by which the role of a
// tab is stored.
const address = new URL(location.href)
const given = Object.fromEntries(address.searchParams)
const nameOf = (query) => /^\s*(?:query|mutation|subscription)\s+(\w+)/m.exec(query)?.[1] ?? null
const tabOf = ({ query, variables }) => ({
  id: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`,
  ...{
    title: nameOf(query) ?? '<untitled>',
    query,
    variables: variables ?? '',
    headers: null,
    operationName: nameOf(query),
    response: null,
  },
})
const { tabs } = stored(TABS, { tabs: [] })
if ('examples' in given || given.query || tabs.length === 0) {
  const isNew = ({ query }) => tabs.every((tab) => tab.query !== query)
  if ('examples' in given || tabs.length === 0) tabs.push(...examples.filter(isNew).map(tabOf))
  const isGiven = ({ query, variables }) => query === given.query && (variables ?? '') === (given.variables ?? '')
  if (given.query && !tabs.some(isGiven)) tabs.push(tabOf(given))
  const shown = examples.find(({ name }) => name === given.example) ?? examples[0]
  const activeTabIndex = tabs.findIndex(given.query ? isGiven : ({ query }) => query === shown.query)
  if (given.query && Object.hasOwn(tokens ?? {}, given.role)) chosen[tabs[activeTabIndex].id] = given.role
  localStorage.setItem(TABS, JSON.stringify({ tabs, activeTabIndex }))
  localStorage.setItem(ROLES, JSON.stringify(chosen))
  history.replaceState({}, '', address.pathname)
}

/** The tab to show: the one that the address names, or that was open at the last visit. */
let openTab = tabs[stored(TABS, {}).activeTabIndex] ?? tabs[0]
let schemaRole = roleOf(openTab)

/** Writes the token of the open tab's role into its headers; a token that the user typed stays, unless `always`. */
function fillToken(always) {
  const model = globalThis.monaco?.editor.getModels().find(({ uri }) => uri.path.endsWith('request-headers.json'))
  if (!tokens || !model) return
  const role = roleOf(openTab)
  try {
    const { Authorization, ...others } = JSON.parse(model.getValue().trim() || headersOf(role))
    const isOurs = !Authorization || ours.has(Authorization)
    if ((always || isOurs) && Authorization !== bearer(role)) model.setValue(headersOf(role, others))
    else if (model.getValue().trim() === '') model.setValue(headersOf(role))
    for (const input of document.querySelectorAll('.bar input'))
      input.checked = (always || isOurs) && input.value === role
    if (schemaRole === role) return
    // Each role is shown what it may use. The button, whose label ends with its keys, does nothing while a schema is on
    // its way.
    const refetch = document.querySelector('[aria-label^="Re-fetch GraphQL schema"]')
    if (!refetch || refetch.disabled) return void setTimeout(fillToken, 200)
    schemaRole = role
    refetch.click()
  } catch {
    // The user is typing: headers that are not JSON yet stay as they are.
  }
}

const choice = (role) => `<label title="Send a token of ${role === 'admin' ? 'an admin' : 'a shopper'} from this tab">
  <input type="radio" name="role" value="${role}"${role === schemaRole ? ' checked' : ''}>${role}</label>`

const bar = `<span class="bar">
  ${tokens ? `<fieldset aria-label="Whose token is sent">${Object.keys(tokens).map(choice).join('')}</fieldset>` : ''}
  ${signIn ? `<button type="button" id="sign-in">${signIn.isSignedIn() ? 'Sign out' : 'Sign in'}</button>` : ''}
  <button type="button" id="examples" title="Open the examples that are closed; other tabs stay">Examples</button>
  <a href="/" title="Start page">commerce-graph</a>
  <output id="cost" title="What the last operation cost, and the most that one may cost"></output>
</span>`

/** Sends the chosen role's token from this tab and from new ones, also after a reload. */
function changeRole({ value }) {
  chosen[''] = value
  chosen[openTab.id] = value
  localStorage.setItem(ROLES, JSON.stringify(chosen))
  fillToken(true)
}

document.addEventListener('change', ({ target }) => target.name === 'role' && changeRole(target))
document.addEventListener('click', ({ target }) => target.id === 'examples' && location.assign('?examples'))
document.addEventListener('click', ({ target }) => {
  if (target.id !== 'sign-in') return
  if (signIn.isSignedIn()) signIn.leave()
  // That page says why it is not possible.
  else signIn.begin().catch(() => location.assign('/sign-in'))
})

/** Shows what an operation cost beside the tabs, as its response says. */
async function showCost(response) {
  if (!/json/.test(response.headers.get('content-type') ?? '')) return
  const { extensions } = await response.json()
  const { figure, limit } = extensions?.cost ?? {}
  const output = document.getElementById('cost')
  if (output && figure !== undefined)
    output.textContent = `cost ${figure.toLocaleString()} of ${limit.toLocaleString()}`
}

const send = globalThis.fetch

/**
 * Sends a request, and once more when the token of the page in it has expired: the same address brings a page with new
 * ones.
 */
async function sendFresh(url, init) {
  const headers = new Headers(init?.headers)
  // A token that was typed goes before that of who is signed in, which no editor shows.
  if (signIn?.isSignedIn() && !headers.has('authorization')) return signIn.send(url, init)
  const response = await send(url, init)
  const role = ours.get(headers.get('authorization'))
  if (response.status !== 401 || !role) return response
  const page = await (await send(address.pathname, { headers: { accept: 'text/html' } })).text()
  tokens = settingsOf(new DOMParser().parseFromString(page, 'text/html')).tokens
  if (!tokens) return response
  for (const one of Object.keys(tokens)) ours.set(bearer(one), one)
  fillToken()
  headers.set('authorization', bearer(role))
  return send(url, { ...init, headers })
}

globalThis.fetch = async (url, init) => {
  const response = await sendFresh(url, init)
  const isOwn = String(init?.body).includes('IntrospectionQuery')
  // A response that is no JSON, or was aborted, has no cost.
  if (!isOwn) showCost(response.clone()).catch(() => {})
  return response
}

/** GraphiQL's storage without headers, which it would write into its history with their token. */
const storage = {
  getItem: (name) => localStorage.getItem(name),
  setItem: (name, text) => localStorage.setItem(name, /:(queries|favorites)$/.test(name) ? withoutHeaders(text) : text),
  removeItem: (name) => localStorage.removeItem(name),
  clear: () => localStorage.clear(),
  get length() {
    return localStorage.length
  },
}
const withoutHeaders = (text) =>
  JSON.stringify(JSON.parse(text, (name, value) => (name === 'headers' ? undefined : value)))

// GraphiQL finds the stored tab by its text; without a query it would open an empty tab at each visit.
const { query, variables } = openTab
const headers = headersOf(schemaRole)

await import(`${folder}/graphiql.js`)
globalThis.YogaGraphiQL.renderYogaGraphiQL(root, {
  logo: '',
  title: bar,
  query,
  variables,
  headers,
  defaultHeaders: headers,
  storage,
  defaultEditorToolsVisibility: tokens ? 'variables' : 'headers',
  // Tokens expire after an hour and every visit gets new ones, so none is stored in the browser.
  shouldPersistHeaders: false,
  onTabChange: ({ tabs, activeTabIndex: index }) => {
    openTab = tabs[index]
    setTimeout(fillToken)
  },
  // The default would copy each keystroke into the address bar.
  onEditQuery: () => {},
})

/**
 * Plays the example that the first screen shows where it only reads, so that the screen has a result. The page says by
 * `data-first` whether it was played.
 */
function playFirst() {
  const example = examples.find(({ query: text }) => text === openTab.query)
  const isWanted = tokens && example?.role === 'shopper' && roleOf(openTab) === 'shopper'
  const play = document.querySelector('.graphiql-execute-button')
  const editors = document.querySelectorAll('.monaco-editor .view-lines').length
  if (isWanted && !(play && editors === 4)) return void setTimeout(playFirst, 100)
  if (isWanted) play.click()
  root.dataset.first = isWanted ? 'played' : 'shown'
}
playFirst()
