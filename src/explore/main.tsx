/** The page /explore: a client of the public graph. It begins here. */
import { type JSX, render } from 'preact'
import { Addressed, useAddress } from './address.tsx'
import { CampaignView } from './campaign-view.tsx'
import { CatalogView } from './catalog-view.tsx'
import { ContextBar, Pinned } from './context-bar.tsx'
import { Queries } from './graphiql-menu.tsx'
import { HistoryView } from './history-view.tsx'
import { ImportView } from './import-view.tsx'
import { Live } from './live.tsx'
import { Title } from './parts.tsx'
import { ReleasesView } from './releases-view.tsx'
import { RulesView } from './rules-view.tsx'
import { useSession } from './session.tsx'
import { SessionProvider } from './session-provider.tsx'
import { readSettings } from './settings.ts'
import { Arrival } from './sign-in-view.tsx'
import { SubscriptionsView } from './subscriptions-view.tsx'
import { Toolbar } from './toolbar.tsx'
import { viewsOf } from './views.ts'
import { WebhooksView } from './webhooks-view.tsx'
import './explore.css'

/** The views by their names in the address. */
const views: Readonly<Record<string, () => JSX.Element>> = {
  campaign: CampaignView,
  releases: ReleasesView,
  subscriptions: SubscriptionsView,
  rules: RulesView,
  import: ImportView,
  history: HistoryView,
  webhooks: WebhooksView,
}

/** For a shopper who follows a link of an administrator. */
function ForAdministrators(): JSX.Element {
  return (
    <main>
      <Title>For administrators</Title>
      <p class="empty">
        This view is for administrators, and your token is a shopper's. Take an administrator's, or ask who gives roles.
      </p>
    </main>
  )
}

function Page(): JSX.Element {
  const { view = '' } = useAddress().address
  const { key, role } = useSession()
  const isHidden = Object.hasOwn(views, view) && !Object.hasOwn(viewsOf(role), view)
  const View = isHidden ? ForAdministrators : (views[view] ?? CatalogView)
  return (
    <Queries>
      <Toolbar />
      <div class="page">
        <Live of={key}>
          <ContextBar />
          <Pinned />
          {/* Another token may see other things, so nothing of the last one stays. */}
          <View key={key} />
        </Live>
      </div>
    </Queries>
  )
}

const root = document.getElementById('root')
const settings = root && readSettings(root)
const page = settings && (
  <Addressed>
    <SessionProvider settings={settings}>
      <Page />
    </SessionProvider>
  </Addressed>
)
// A provider leads back to the same script (token.pages-sign-in).
if (root && settings) render(location.pathname === '/sign-in' ? <Arrival settings={settings} /> : page, root)
