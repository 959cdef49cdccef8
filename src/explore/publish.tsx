/** Publishing a change or the whole draft of a catalog, at once or at an instant, after a check of its effect. */
import { useMutation } from '@urql/preact'
import type { JSX, TargetedEvent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Carries, Carry } from './carries.tsx'
import { graphql } from './graph.ts'
import { counted, plain } from './parts.tsx'
import { At, instantOf, Outcome } from './release-actions.tsx'
import { NameField, ReleaseNumber, typedName } from './release-name.tsx'
import { ShownEarly, type Warned, Warnings } from './release-warnings.tsx'
import { takeToastAway } from './saved.tsx'

const PublishRelease = graphql(
  `
  mutation PublishRelease($input: PublishReleaseInput!, $isTrial: Boolean!) {
    publishRelease(input: $input) {
      release {
        id
        sequence
        name
        status
        productCount
        nodeCount
        warningCount
        warnings {
          code count sku currency tier sale skus skuCount slug hierarchyId priceBookId nodeCount productId
          scheduledFor scheduledRelease { sequence name }
        }
        carries { ...Carry }
        changesSince(releaseId: "latest", first: 100) @include(if: $isTrial) {
          nodes { before { product { id } } after { product { id } } }
        }
      }
      userErrors { message }
    }
  }
`,
  [Carry],
)

export interface PublishProps {
  readonly catalogId: string
  readonly fromDraft: string
  /** Whether the draft is being read again, after which it may be another one. */
  readonly isReading?: boolean
  /** The ids of the products whose change was just made: it can be published alone. */
  readonly products?: readonly string[] | undefined
  /** Whether nothing of the catalog was published before, so that there is nothing to compare with. */
  readonly isFirst?: boolean
  /** Whether the warnings of the draft stand elsewhere on the page. */
  readonly hasWarnings?: boolean
  /** Whether the check runs without being asked for. */
  readonly isAsked?: boolean
  /** Whether there is something to publish, as far as is known. */
  readonly isLeft?: boolean
  /** The name of the catalog, where it is not the one that the page shows. */
  readonly catalogName?: string
  /** What the release may be called. */
  readonly releaseName?: string | undefined
  /** Called with the ids of the products that were published at once, the first hundred. */
  readonly onPublished?: (products: readonly string[]) => void
}

/** A check that was asked for: of a draft, and whether of the change alone. */
interface Check {
  readonly draft: string
  readonly isPart: boolean
}

/** Publishes what was checked: the products alone as they are now, or exactly the draft that is shown. */
export function Publish(props: PublishProps): JSX.Element {
  const { catalogId, fromDraft, isReading = false, products, onPublished } = props
  const { isFirst = false, isAsked = false, hasWarnings = false, isLeft = true, catalogName, releaseName } = props
  const [trial, tryOut] = useMutation(PublishRelease)
  const [publication, publish] = useMutation(PublishRelease)
  // A check holds for its draft, until that is published.
  const [check, setCheck] = useState<Check | null>(null)
  const now = check?.draft === fromDraft ? check : null
  const tried = now ? trial.data?.publishRelease : undefined
  const done = publication.data?.publishRelease
  const whatOf = (isPart: boolean) => (isPart && products ? { only: { products: [...products] } } : { fromDraft })
  const ask = (isPart: boolean): void => {
    setCheck({ draft: fromDraft, isPart })
    // What a part changes is known, and can't be read.
    void tryOut({ input: { catalogId, ...whatOf(isPart), dryRun: true }, isTrial: !isPart && !isFirst })
  }
  useEffect(() => {
    if (isAsked) ask(true)
  }, [])
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const at = String(new FormData(event.currentTarget).get('at') ?? '')
    const name = typedName(event.currentTarget)
    const isPart = now?.isPart ?? false
    const changes = tried?.release?.changesSince?.nodes ?? []
    const published = isPart ? products : changes.flatMap((one) => (one.after ?? one.before)?.product?.id ?? [])
    const input = { catalogId, ...whatOf(isPart), ...instantOf(at), ...(name !== null && { name }) }
    void publish({ input, isTrial: false }).then(({ data }) => {
      setCheck(null)
      if (at || data?.publishRelease.userErrors.length !== 0) return
      takeToastAway()
      onPublished?.(published ?? [])
    })
  }
  return (
    <div class="actions">
      {tried?.release && !trial.fetching ? (
        <form class="publish" onSubmit={submit}>
          <Effect of={tried.release} isPart={now?.isPart ?? false} hasWarnings={hasWarnings} />
          <ShownEarly warnings={tried.release.warnings} />
          <Carries catalog={catalogId} carries={tried.release.carries} isDone={false} />
          <NameField value={releaseName} />
          <At />
          <button type="submit" class="primary" disabled={publication.fetching}>
            {products ? `Publish ${now?.isPart ? 'this change' : 'everything in the draft'}` : 'Publish'}
          </button>{' '}
          <button type="button" disabled={publication.fetching} onClick={() => setCheck(null)}>
            Back
          </button>{' '}
          <span class="soft">Leave the time empty to publish now. Only administrators see the name.</span>
        </form>
      ) : isAsked && done?.release ? null : (
        <>
          <button
            type="button"
            class={isLeft ? 'primary' : undefined}
            disabled={trial.fetching || isReading}
            onClick={() => ask(products !== undefined)}
          >
            Check and publish{products && ' this change'}…
          </button>{' '}
          {products && !isAsked && (
            <button type="button" disabled={trial.fetching || isReading} onClick={() => ask(false)}>
              Check and publish everything in the draft…
            </button>
          )}
        </>
      )}
      <Outcome error={trial.error} userErrors={tried?.userErrors} />
      <Outcome error={publication.error} userErrors={done?.userErrors}>
        {done?.release && (
          <>
            <p>
              Release <ReleaseNumber of={done.release} />
              {catalogName !== undefined && (
                <>
                  {' '}
                  of <bdi>{catalogName}</bdi>
                </>
              )}{' '}
              is {plain(done.release.status)}.
            </p>
            <Carries catalog={catalogId} carries={done.release.carries} isDone />
          </>
        )}
      </Outcome>
    </div>
  )
}

interface EffectProps {
  readonly of: Warned & { readonly productCount: number; readonly nodeCount: number; readonly warningCount: number }
  readonly isPart: boolean
  readonly hasWarnings: boolean
}

/** What shoppers would see. */
function Effect({ of, isPart, hasWarnings }: EffectProps): JSX.Element {
  const { productCount, nodeCount, warningCount, warnings } = of
  if (isPart)
    return <p>Only this change goes live; all else stays as shoppers see it, {counted(productCount, 'product')}.</p>
  // What is shown early is said beside the button.
  const others = warnings.filter(({ code }) => code !== 'SCHEDULED_SHOWN_EARLY')
  const count = warningCount - (warnings.length - others.length)
  return (
    <>
      <p>
        It would show {counted(productCount, 'product')} in {counted(nodeCount, 'category', 'categories')}, with{' '}
        {counted(count, 'warning')}.
      </p>
      {!hasWarnings && <Warnings count={count} warnings={others} />}
    </>
  )
}
