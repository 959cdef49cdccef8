/** The views of the page. */
import type { Role } from './settings.ts'

const views: Readonly<Record<string, string>> = {
  '': 'Catalog',
  releases: 'Releases',
  subscriptions: 'Subscriptions',
}
const adminViews: Readonly<Record<string, string>> = {
  campaign: 'Campaigns',
  rules: 'Who sees what',
  import: 'Import',
  history: 'History',
  webhooks: 'Webhooks',
}

/** The names of the views of a role, by their names in the address. */
export const viewsOf = (role: Role): Readonly<Record<string, string>> =>
  role === 'admin' ? { ...views, ...adminViews } : views
