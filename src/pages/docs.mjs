// The OpenAPI document in Swagger UI: every operation with its example, which "Try it out" sends.
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import 'swagger-ui-dist/swagger-ui.css'
import './docs.css'

const root = document.getElementById('root')
const { tokens } = JSON.parse(root.dataset.settings)

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

const ui = SwaggerUI({
  url: '/openapi.json',
  domNode: root,
  // The schemas are shown at each operation.
  defaultModelsExpandDepth: -1,
  // Its highlighter writes colours of too little contrast into the elements.
  syntaxHighlight: false,
  // Swagger UI would send the document to a validator elsewhere.
  validatorUrl: null,
  plugins: [withoutServers],
  onComplete: () => tokens && ui.preauthorizeApiKey('bearer', tokens.admin),
})
