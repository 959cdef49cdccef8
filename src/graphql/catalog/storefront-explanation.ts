/** The explanation of a storefront: why the rules choose a catalog (catalog-rule.choice-explained). */
import type { CatalogRule } from '../../domain/catalog/catalog-rule.ts'
import type { Criterion } from '../../domain/catalog/rule-choice.ts'
import type { ExplainedRule, RuleOutcome } from '../../domain/catalog/rule-explanation.ts'
import { badRequest } from '../../domain/input/errors.ts'
import { explainStorefront } from '../../operations/catalog/storefront.ts'
import { withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import { readId } from '../schema/ids.ts'
import { wordEnum } from '../schema/word-enum.ts'
import { CatalogRef } from './catalog-refs.ts'
import { CatalogRuleRef } from './catalog-rule.ts'
import { readShopper, shopperArgs } from './storefront-arguments.ts'

/** The most rules in one response. */
const EXPLAINED_MAX = 1_000

const CriterionEnum = wordEnum<Criterion>('RuleCriterion', 'What a catalog rule can list.', {
  ACCOUNT: 'Its accounts.',
  CHANNEL: 'Its channels.',
  TAGS: 'Its tags.',
})

const OutcomeEnum = wordEnum<RuleOutcome>('RuleOutcome', 'What became of a catalog rule.', {
  CHOSEN: 'It chooses the catalog.',
  NOT_IN_FORCE: 'It matches, and none of its schedules runs.',
  NOT_PROVED:
    'Its catalog is confidential, and no criterion matches what the token proves: either one matches only what headers or arguments say, or there is no criterion.',
  NO_MATCH: 'It has criteria of which none matches.',
  FEWER_MATCHES: 'The chosen rule matches more criteria.',
  MORE_UNMATCHED: 'The chosen rule matches as many, and has fewer unmatched ones.',
  NEWER: 'The chosen rule matches alike, and is older.',
})

const RuleExplanationRef = builder.objectRef<ExplainedRule<CatalogRule>>('RuleExplanation').implement({
  description: 'What became of one catalog rule.',
  right: 'admin',
  fields: (t) => ({
    rule: t.field({ type: CatalogRuleRef, description: 'The rule.', resolve: ({ rule }) => rule }),
    outcome: t.expose('outcome', { type: OutcomeEnum, description: 'Whether it chooses the catalog, or why not.' }),
    matched: t.field({
      type: [CriterionEnum],
      description: 'Its criteria that match; of a confidential catalog those that match what the token proves.',
      resolve: ({ matched }) => [...matched],
    }),
    unmatched: t.field({
      type: [CriterionEnum],
      description: 'Its criteria that do not match.',
      resolve: ({ unmatched }) => [...unmatched],
    }),
  }),
})

const StorefrontExplanationRef = builder
  .objectRef<Awaited<ReturnType<typeof explainStorefront>>>('StorefrontExplanation')
  .implement({
    description: 'Which catalog the rules choose for somebody, and why.',
    right: 'admin',
    fields: (t) => ({
      catalog: t.field({
        type: CatalogRef,
        nullable: true,
        description:
          'The chosen catalog, published or not. When no rule is chosen, the one published first that is not confidential; null when there is none.',
        resolve: ({ catalogId }) => (catalogId === null ? null : { id: catalogId }),
      }),
      ruleCount: t.int({ description: 'How many rules there are.', resolve: ({ rules }) => rules.length }),
      rules: t.field({
        type: [RuleExplanationRef],
        description: `The rules, those that match most first; at most ${EXPLAINED_MAX}.`,
        args: {
          first: t.arg.int({
            required: true,
            defaultValue: 100,
            description: `How many, 1 to ${EXPLAINED_MAX}, such as 10.`,
            ...withReader(readFirst),
          }),
        },
        resolve: ({ rules }, args) => rules.slice(0, readFirst(args)),
      }),
    }),
  })

function readFirst({ first }: { readonly first: number }): number {
  if (first >= 1 && first <= EXPLAINED_MAX) return first
  throw badRequest('OUT_OF_RANGE', ['first'], `must be from 1 to ${EXPLAINED_MAX}`)
}

builder.queryField('storefrontExplanation', (t) =>
  t.field({
    type: StorefrontExplanationRef,
    right: 'admin',
    description: 'Why a shopper gets a catalog: each catalog rule, what of it matches, and why it is not chosen.',
    args: {
      account: t.arg.id({
        description:
          "The global id or the UUID of the shopper's account, such as `c0ffee00-00aa-4000-8000-000000000001`; absent: none.",
      }),
      ...shopperArgs(t, {
        channel: 'The channel, such as `web`; absent: none.',
        tags: 'Tags such as `["gold"]`; absent: none.',
      }),
      proved: t.arg.boolean({
        required: true,
        defaultValue: false,
        description:
          "Whether channel and tags are those of the shopper's token, such as `true`. Otherwise they are those of headers or arguments, which give no confidential catalog.",
      }),
    },
    resolve: (_, { account, proved, ...given }, ctx) => {
      const { channel = null, tags = [] } = readShopper(given)
      const accountId = account == null ? null : readId('Account', account, ['account']).toLowerCase()
      return explainStorefront(ctx, { accountId, channel, tags, proved })
    },
  }),
)
