/** The viewer: who sends the request, by its token. */
import type { Viewer } from '../../auth/viewer.ts'
import { account } from '../../operations/subscriptions/subscription.ts'
import { builder } from '../schema/builder.ts'
import { AccountRef } from './subscription.ts'

const RoleEnum = builder.enumType('Role', {
  description: 'What a token lets its holder do.',
  values: {
    ADMIN: { value: 'admin', description: 'An administrator: may read and change everything.' },
    SHOPPER: { value: 'shopper', description: "A shopper: reads what is published, and its own account's subscriptions." },
  },
} as const)

const ViewerRef = builder.objectRef<Viewer>('Viewer').implement({
  description: 'Who sends the request.',
  right: 'anyone',
  fields: (t) => ({
    role: t.expose('role', { type: RoleEnum, description: 'The role of the token.' }),
    account: t.field({
      type: AccountRef,
      nullable: true,
      description: "A shopper's own account; null when the token names none, or one without a subscription.",
      resolve: ({ accountId }, _, ctx) => {
        ctx.cachePolicy.doNotStore()
        return accountId === null ? null : account(ctx, { id: accountId })
      },
    }),
  }),
})

builder.queryField('viewer', (t) =>
  t.field({
    type: ViewerRef,
    right: 'anyone',
    description: 'Who sends the request, by its token.',
    resolve: (_, __, { viewer }) => viewer,
  }),
)
