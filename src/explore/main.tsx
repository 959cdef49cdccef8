/** The page /explore: a client of the public graph. It begins here. */
import { type JSX, render } from 'preact'
import { Addressed, useAddress } from './address.tsx'
import { CatalogView } from './catalog-view.tsx'
import { Live } from './live.tsx'
import { ReleasesView } from './releases-view.tsx'
import { SessionProvider, useSession } from './session.tsx'
import { readSettings } from './settings.ts'
import { SubscriptionsView } from './subscriptions-view.tsx'
import { Toolbar } from './toolbar.tsx'
import './explore.css'

function Page(): JSX.Element {
  const { view } = useAddress().address
  const { token } = useSession()
  return (
    <>
      <Toolbar />
      {/* Another token may see other things, so nothing of the last one stays. */}
      <Live key={token}>{view === 'releases' ? <ReleasesView /> : view === 'subscriptions' ? <SubscriptionsView /> : <CatalogView />}</Live>
    </>
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
