/** What of campaigns shoppers do not see yet: changes that wait for a publish, and releases that go live later. */
import type { JSX } from 'preact'
import { Link, noView } from './address.tsx'
import { Ask } from './ask.tsx'
import { graphql } from './graph.ts'
import { counted, Time } from './parts.tsx'
import { ReleaseNumber } from './release-name.tsx'

const Ahead = graphql(`
  query CampaignsAhead {
    catalogs(first: 100) { nodes { id name scheduledReleases { id sequence name scheduledFor } } }
    storefront {
      id
      name
      draft { id changesSince(releaseId: "latest", first: 0) { totalCount } }
    }
  }
`)

export function CampaignsAhead(): JSX.Element {
  return (
    <Ask query={Ahead} variables={{}} link="what is not live yet">
      {({ catalogs, storefront }) => {
        const waiting = storefront?.draft?.changesSince.totalCount ?? 0
        const releases = catalogs.nodes.flatMap(({ scheduledReleases, ...catalog }) =>
          scheduledReleases.flatMap(({ scheduledFor: at, ...one }) => (at ? [{ ...one, at, catalog }] : [])),
        )
        return (
          <>
            {storefront && waiting > 0 && (
              <p class="draft-hint">
                {counted(waiting, 'product')} of {storefront.name} {waiting === 1 ? 'has a change' : 'have changes'}{' '}
                that shoppers do not see yet.{' '}
                <Link to={{ ...noView, view: 'releases', catalog: storefront.id, from: 'latest', to: 'draft' }}>
                  Look at what a publish changes
                </Link>
              </p>
            )}
            {releases.length > 0 && (
              <ul class="releases-ahead">
                {releases.map(({ id, at, catalog, ...release }) => (
                  <li key={id}>
                    Release <ReleaseNumber of={release} /> of <bdi>{catalog.name}</bdi> goes live <Time at={at} />:{' '}
                    <Link to={{ ...noView, view: 'releases', catalog: catalog.id, from: 'latest', to: id }}>
                      what it changes, and how it is withdrawn
                    </Link>
                    {' · '}
                    <Link to={{ ...noView, at, seen: catalog.id === storefront?.id ? null : catalog.id }}>
                      look at its first day
                    </Link>
                  </li>
                ))}
              </ul>
            )}
          </>
        )
      }}
    </Ask>
  )
}
