/** Subscription routes: create, get and change state (http.paths-and-aliases). */
import { envelopeOf } from '../../domain/input/document.ts'
import { notFound } from '../../domain/input/errors.ts'
import { object } from '../../domain/input/json-schema.ts'
import { newSubscriptionDocument, stateChangeDocument } from '../../domain/subscriptions/documents.ts'
import { createSubscription, subscription } from '../../operations/subscriptions/subscription.ts'
import { changeSubscriptionState } from '../../operations/subscriptions/subscription-change.ts'
import { readingInstant } from '../../request/context.ts'
import type { Route } from '../http/route.ts'
import { subscriptionSchema, toSubscription } from './subscription-document.ts'
import {
  changeSubscriptionStateExample,
  createSubscriptionExample,
  getSubscriptionExample,
} from './subscription-examples.ts'

const response = object({ data: subscriptionSchema })
const tag = 'Subscriptions'

/** A path under the documented prefix, and its alias without `/v2`. */
const paths = (rest: string): [string, string] => [
  `/v2/subscriptions/subscriptions${rest}`,
  `/subscriptions/subscriptions${rest}`,
]

/** The routes of subscriptions. */
export const subscriptionRoutes: readonly Route[] = [
  {
    method: 'POST',
    paths: paths(''),
    right: 'account',
    body: true,
    query: { ignored: ['filter'] },
    document: {
      id: 'createSubscription',
      tag,
      summary: 'Create a subscription',
      description:
        'For admins, and for shoppers whose token names the account. Offering and plan are copied into the subscription; later changes to them do not reach it.',
      request: envelopeOf(newSubscriptionDocument),
      status: 201,
      response,
      failures: [409],
      example: createSubscriptionExample,
    },
    async handle({ ctx, data, idempotencyKey }) {
      const created = await createSubscription(ctx, { data }, { idempotencyKey })
      return { status: 201, body: { data: toSubscription(created, readingInstant(ctx, created)) } }
    },
  },
  {
    method: 'GET',
    paths: paths('/{subscription_id}'),
    right: 'anyone',
    document: {
      id: 'getSubscription',
      tag,
      summary: 'Get a subscription',
      status: 200,
      response,
      example: getSubscriptionExample,
    },
    async handle({ ctx, id }) {
      const found = await subscription(ctx, { id: id('subscription_id') })
      if (found === null) throw notFound(['subscription_id'], 'No such subscription')
      return { status: 200, body: { data: toSubscription(found, readingInstant(ctx, found)) } }
    },
  },
  {
    method: 'POST',
    paths: paths('/{subscription_id}/states'),
    right: 'account',
    body: true,
    document: {
      id: 'changeSubscriptionState',
      tag,
      summary: 'Pause, resume or cancel a subscription',
      description:
        'For admins and the shoppers of its account. The plan may forbid an action (422), its present state refuse it (409).',
      request: envelopeOf(stateChangeDocument),
      status: 204,
      failures: [409],
      example: changeSubscriptionStateExample,
    },
    async handle({ ctx, id, data, idempotencyKey }) {
      await changeSubscriptionState(ctx, { subscriptionId: id('subscription_id'), data }, { idempotencyKey })
      return { status: 204 }
    },
  },
]
