// GraphiQL in the browser: editor workers, example tabs, and the choice between the admin's and the shopper's token.
const root = document.getElementById('root')
const { folder, tabs, tokens, headers } = JSON.parse(root.dataset.settings)

// With globalAPI the editors are reachable as `monaco`; fillToken uses that to write the headers.
self.MonacoEnvironment = { globalAPI: true, getWorkerUrl: (_, label) => `${folder}/${label}.worker.js` }

const bearer = (role) => `Bearer ${tokens[role]}`
const chosenRole = () => document.querySelector('.bar input:checked')?.value ?? 'admin'

/** Writes the chosen token into the headers of the open tab; a token that the user typed stays, unless `always`. */
function fillToken(always) {
  const model = globalThis.monaco?.editor.getModels().find(({ uri }) => uri.path.endsWith('request-headers.json'))
  if (!tokens || !model) return
  try {
    const typed = JSON.parse(model.getValue().trim() || '{}')
    const isOurs = !typed.Authorization || Object.keys(tokens).some((role) => typed.Authorization === bearer(role))
    if (!always && (!isOurs || typed.Authorization === bearer(chosenRole()))) return
    model.setValue(JSON.stringify({ ...typed, Authorization: bearer(chosenRole()) }, null, 2))
  } catch {
    // The user is typing: headers that are not JSON yet stay as they are.
  }
}

// The button Examples reloads with `?examples`: stored tabs are removed before GraphiQL starts, since it would store them again.
const address = new URL(location.href)
if (address.searchParams.has('examples')) {
  for (const key of Object.keys(localStorage)) if (key.startsWith('graphiql:')) localStorage.removeItem(key)
  history.replaceState({}, '', address.pathname)
}

const choice = (role) => `<label title="Send a token of ${role === 'admin' ? 'an admin' : 'a shopper'}">
  <input type="radio" name="role" value="${role}"${role === 'admin' ? ' checked' : ''}>${role}</label>`

const bar = `<span class="bar">
  ${tokens ? `<fieldset aria-label="Whose token is sent">${Object.keys(tokens).map(choice).join('')}</fieldset>` : ''}
  <button type="button" id="examples" title="Close all tabs and open the examples again">Examples</button>
  <a href="/" title="Start page">commerce-graph</a>
</span>`

/** Sends the other token from now on, and reads the schema again, since each role is shown what it may use. */
function changeRole() {
  fillToken(true)
  document.querySelector('[aria-label="Re-fetch GraphQL schema"]')?.click()
}

document.addEventListener('change', ({ target }) => target.name === 'role' && changeRole())
document.addEventListener('click', ({ target }) => target.id === 'examples' && location.assign('?examples'))

/** The tab to show: the one that was open at the last visit, else the first example. */
function openTab() {
  try {
    const stored = JSON.parse(localStorage.getItem('graphiql:tabState'))
    return stored.tabs[stored.activeTabIndex]
  } catch {
    return tabs[0]
  }
}

// GraphiQL finds the stored tab by its text; without a query it would open an empty tab at each visit.
const { query, variables } = address.searchParams.has('query') ? {} : openTab()

await import(`${folder}/graphiql.js`)
globalThis.YogaGraphiQL.renderYogaGraphiQL(root, {
  logo: '',
  title: bar,
  defaultTabs: tabs.map((tab) => ({ ...tab, headers })),
  query,
  variables,
  headers,
  defaultHeaders: headers,
  defaultEditorToolsVisibility: tokens ? 'variables' : 'headers',
  // Tokens expire after an hour and every visit gets new ones, so none is stored in the browser.
  shouldPersistHeaders: false,
  onTabChange: () => setTimeout(fillToken),
  // The default would copy each keystroke into the address bar.
  onEditQuery: () => {},
})
