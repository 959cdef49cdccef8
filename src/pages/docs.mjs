// The OpenAPI document in Swagger UI: every operation with its example, which "Try it out" sends.
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import 'swagger-ui-dist/swagger-ui.css'
import './docs.css'

const root = document.getElementById('root')
const { tokens, signIn: given } = JSON.parse(root.dataset.settings)
/** Signs in at the identity provider, where the server says how (token.pages-sign-in). */
const signIn = given && (await import(given.module)).createSignIn(given)
if (signIn) {
  const label = signIn.isSignedIn() ? 'Sign out' : 'Sign in'
  const button = Object.assign(document.createElement('button'), { type: 'button', id: 'sign-in', textContent: label })
  // That page says why it is not possible.
  const begin = () => signIn.begin().catch(() => location.assign('/sign-in'))
  button.addEventListener('click', signIn.isSignedIn() ? signIn.leave : begin)
  document.querySelector('.home').after(button)
}
/** A token that was typed goes before that of who is signed in, which no example shows. */
const withToken = (request) =>
  signIn?.isSignedIn() && !request.headers.Authorization ? { ...request, userFetch: signIn.send } : request

const dark = matchMedia('(prefers-color-scheme: dark)')
const showColours = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', showColours)
showColours()

/** There is one server, this one, so that there is nothing to choose. */
const withoutServers = () => ({ components: { ServersContainer: () => null } })

/** Names for the controls that Swagger UI gives none, or one that differs from what they show. */
function nameControls() {
  const nameOf = {
    '.body-param__text': () => 'Request body',
    '.close-modal': () => 'Close',
    '.modal-btn.auth': ({ textContent }) => textContent,
    'td select': (control) => control.closest('[data-param-name]')?.dataset.paramName ?? 'Media type',
  }
  for (const [selector, name] of Object.entries(nameOf)) {
    for (const control of root.querySelectorAll(selector)) {
      if (control.ariaLabel !== name(control)) control.ariaLabel = name(control)
    }
  }
}
new MutationObserver(nameControls).observe(root, { childList: true, subtree: true })

/** The document with each operation once: its other paths are listed in its description. */
function folded(spec) {
  const nameOf = ({ operationId }) => operationId.replace(/Alias\d+$/, '')
  const all = Object.entries(spec.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ path, method, operation })),
  )
  const paths = {}
  for (const { path, method, operation } of all) {
    const name = nameOf(operation)
    if (operation.operationId !== name) continue
    const others = all.filter((one) => one.operation !== operation && nameOf(one.operation) === name)
    const also = others.length > 0 && `Also at ${others.map((one) => `\`${one.path}\``).join(', ')}.`
    const description = [operation.description, also].filter(Boolean).join('\n\n')
    paths[path] = { ...paths[path], [method]: { ...operation, ...(description && { description }) } }
  }
  return { ...spec, paths }
}
const withoutAliases = () => ({
  statePlugins: {
    spec: { wrapActions: { updateSpec: (update) => (text) => update(JSON.stringify(folded(JSON.parse(text)))) } },
  },
})

const ui = SwaggerUI({
  url: '/openapi.json',
  domNode: root,
  // The schemas are shown at each operation.
  defaultModelsExpandDepth: -1,
  // Its highlighter writes colours of too little contrast into the elements.
  syntaxHighlight: false,
  // Swagger UI would send the document to a validator elsewhere.
  validatorUrl: null,
  requestInterceptor: withToken,
  plugins: [withoutServers, withoutAliases],
  onComplete: () => tokens && ui.preauthorizeApiKey('bearer', tokens.admin),
})
