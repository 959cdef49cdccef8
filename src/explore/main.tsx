/** The page /explore: a client of the public graph. It begins here. */
import { type JSX, render } from 'preact'
import { Addressed, useAddress } from './address.tsx'
import { CampaignView } from './campaign-view.tsx'
import { CatalogView } from './catalog-view.tsx'
import { Queries } from './graphiql-menu.tsx'
import { HistoryView } from './history-view.tsx'
import { ImportView } from './import-view.tsx'
import { Live } from './live.tsx'
import { ReleasesView } from './releases-view.tsx'
import { RulesView } from './rules-view.tsx'
import { SessionProvider, useSession } from './session.tsx'
import { readSettings } from './settings.ts'
import { SubscriptionsView } from './subscriptions-view.tsx'
import { Toolbar } from './toolbar.tsx'
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

function Page(): JSX.Element {
  const View = views[useAddress().address.view ?? ''] ?? CatalogView
  const { token } = useSession()
  return (
    <Queries>
      <Toolbar />
      {/* Another token may see other things, so nothing of the last one stays. */}
      <Live key={token}>
        <View />
      </Live>
    </Queries>
  )
}

const root = document.getElementById('root')
if (root)
  render(
    <Addressed>
      <SessionProvider settings={readSettings(root)}>
        <Page />
      </SessionProvider>
    </Addressed>,
    root,
  )
