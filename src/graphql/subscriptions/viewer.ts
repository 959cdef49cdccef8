/** The viewer: who sends the request, by its token. */
import type { Viewer } from '../../auth/viewer.ts'
import { account } from '../../operations/subscriptions/subscription.ts'
import { builder } from '../schema/builder.ts'
import { globalId } from '../schema/ids.ts'
import { RoleEnum } from '../schema/role.ts'
import { AccountRef } from './subscription.ts'

const ViewerRef = builder.objectRef<Viewer>('Viewer').implement({
  description: 'Who sends the request.',
  right: 'anyone',
  fields: (t) => ({
    role: t.field({
      type: RoleEnum,
      description: 'The role of the token.',
      resolve: ({ role, accountId }) => (role === 'shopper' && accountId !== null ? 'account' : role),
    }),
    accountId: t.id({
      nullable: true,
      description:
        'The global id of the account that the token names, also before its first subscription; null when it names none.',
      resolve: ({ accountId }) => accountId && globalId('Account', accountId),
    }),
    channel: t.exposeString('channel', {
      nullable: true,
      description:
        'The channel that the token names, which rules of confidential catalogs take; null when it names none.',
    }),
    tags: t.stringList({
      description: 'The tags that the token names, which rules of confidential catalogs take.',
      resolve: ({ tags }) => [...tags],
    }),
    account: t.field({
      type: AccountRef,
      nullable: true,
      description: "A shopper's own account; null when the token names none, or one without a subscription.",
      resolve: ({ accountId }, _, ctx) => (accountId === null ? null : account(ctx, { id: accountId })),
    }),
  }),
})

builder.queryField('viewer', (t) =>
  t.field({
    type: ViewerRef,
    right: 'anyone',
    description: 'Who sends the request, by its token.',
    resolve: (_, __, { viewer, cachePolicy }) => {
      // Responses are cached by role, but this one depends on the account.
      cachePolicy.doNotStore()
      return viewer
    },
  }),
)
