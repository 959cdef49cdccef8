/** Imports: sends files, and shows what became of them; and files of what is stored. */
import { useMutation } from '@urql/preact'
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Ask } from './ask.tsx'
import { ExportForm } from './export-form.tsx'
import { graphql } from './graph.ts'
import { ImportExamples } from './import-examples.tsx'
import { ImportForm } from './import-form.tsx'
import { PriceChanges } from './import-prices.tsx'
import { useImportEvents, useRepeat } from './live.tsx'
import { counted, Time, Title } from './parts.tsx'
import { Outcome } from './release-actions.tsx'
import { saveFile } from './save-file.ts'
import { useSession } from './session.tsx'
import { Table } from './table.tsx'

const Job = graphql(`
  fragment Job on ImportJob {
    id
    fileName
    state
    failure
    byteCount
    handledCount
    refusedCount
    refusedPath
    createdAt
    endedAt
    counts { type createdCount updatedCount unchangedCount refusedCount }
  }
`)

const Imports = graphql(
  `
  query Imports {
    importJobs(last: 25) { totalCount nodes { ...Job } }
    priceBooks(first: 100) { nodes { id name } }
  }
`,
  [Job],
)

const Start = graphql(`
  mutation StartImport($input: StartImportInput!) { startImport(input: $input) { importJob { id state } userErrors { message } } }
`)

const Check = graphql(`
  mutation CheckImport($input: CheckImportInput!) { checkImport(input: $input) { importJob { id state } userErrors { message } } }
`)

const Cancel = graphql(`
  mutation CancelImport($input: CancelImportInput!) { cancelImport(input: $input) { importJob { id state } userErrors { message } } }
`)

const stateWords = {
  UPLOADING: 'its file is on its way',
  UPLOADED: 'waits to be started',
  CHECKING: 'is being checked',
  CHECKED: 'checked: nothing is stored yet',
  RUNNING: 'runs',
  DONE: 'done',
  FAILED: 'ended early',
  CANCELED: 'canceled',
} as const

const isMoving: ReadonlySet<string> = new Set(['UPLOADING', 'CHECKING', 'RUNNING'])

export function ImportView(): JSX.Element {
  const repeat = useRepeat()
  return (
    <main class="centred">
      <Title>Import</Title>
      <p>
        Takes Excel workbooks, CSV and JSON lines. A file is sent first; nothing is stored before you start it, and a
        check tells beforehand what it would change.
      </p>
      <Ask query={Imports} variables={{}} link="imports">
        {({ importJobs, priceBooks }) => (
          <>
            <ImportExamples book={priceBooks.nodes[0]?.name} />
            <ImportForm books={priceBooks.nodes} onSent={repeat} />
            {importJobs.totalCount === 0 && <p class="empty">No file was sent in the last 30 days.</p>}
            {importJobs.totalCount > importJobs.nodes.length && (
              <p class="soft">
                The newest {importJobs.nodes.length} of {counted(importJobs.totalCount, 'import')}.
              </p>
            )}
            {[...importJobs.nodes].reverse().map((job) => (
              <OneImport key={job.id} of={job} />
            ))}
            <h2>Export</h2>
            <p>Saves what is stored now, in the form that an import takes.</p>
            <ExportForm books={priceBooks.nodes} />
          </>
        )}
      </Ask>
    </main>
  )
}

function OneImport({ of }: { readonly of: FragmentOf<typeof Job> }): JSX.Element {
  const { id, fileName, state, failure, byteCount, handledCount, refusedCount, refusedPath, counts } = of
  const [started, start] = useMutation(Start)
  const [checked, check] = useMutation(Check)
  const [canceled, cancel] = useMutation(Cancel)
  useImportEvents(id, !isMoving.has(state))
  const isWaiting = state === 'UPLOADED' || state === 'CHECKED'
  const isOpen = isWaiting || state === 'CHECKING' || state === 'RUNNING'
  return (
    <section class="import-job" aria-label={fileName}>
      <h2>{fileName}</h2>
      <p>
        <b>{stateWords[state]}</b>{' '}
        <span class="soft">
          {Math.ceil(byteCount / 1024).toLocaleString('en')} KiB, sent <Time at={of.createdAt} />
          {of.endedAt && (
            <>
              , ended <Time at={of.endedAt} />
            </>
          )}
        </span>
      </p>
      {failure && <p class="failed">{failure}</p>}
      {handledCount > 0 && (
        <Table titles={['What', 'Created', 'Changed', 'As it was', 'Refused']}>
          {counts.map(({ type, createdCount, updatedCount, unchangedCount, refusedCount: refused }) => (
            <tr key={type}>
              <th scope="row">{type}</th>
              <td class="number">{createdCount}</td>
              <td class="number">{updatedCount}</td>
              <td class="number">{unchangedCount}</td>
              <td class="number">{refused}</td>
            </tr>
          ))}
        </Table>
      )}
      {refusedPath && <Refused path={refusedPath} fileName={fileName} count={refusedCount} />}
      {state === 'CHECKED' && <PriceChanges id={id} />}
      {isWaiting && (
        <button type="button" disabled={checked.fetching} onClick={() => void check({ input: { id } })}>
          {state === 'CHECKED' ? 'Check it again' : 'Check it'}
        </button>
      )}{' '}
      {isWaiting && (
        <button type="button" class="primary" disabled={started.fetching} onClick={() => void start({ input: { id } })}>
          Start it
        </button>
      )}{' '}
      {isOpen && (
        <button type="button" disabled={canceled.fetching} onClick={() => void cancel({ input: { id } })}>
          {state === 'RUNNING' ? 'Stop it; what is stored stays' : 'Remove it'}
        </button>
      )}
      <Outcome
        error={started.error ?? checked.error ?? canceled.error}
        userErrors={
          started.data?.startImport.userErrors ??
          checked.data?.checkImport.userErrors ??
          canceled.data?.cancelImport.userErrors
        }
      />
    </section>
  )
}

interface RefusedProps {
  readonly path: string
  readonly fileName: string
  readonly count: number
}

/** Saves what was refused, to be corrected. */
function Refused({ path, fileName, count }: RefusedProps): JSX.Element {
  const { send } = useSession()
  const [problems, setProblems] = useState<readonly string[]>([])
  const save = async (): Promise<void> =>
    setProblems(await saveFile(send, 'GET', path, `refused-${fileName.replace(/\.xlsx$/i, '.csv')}`))
  return (
    <p>
      <button type="button" onClick={() => void save()}>
        Save the {counted(count, 'refused row')}
      </button>{' '}
      <span class="soft">
        {problems.length > 0 ? problems.join('; ') : 'Each says what is wrong; corrected it is a file to import.'}
      </span>
    </p>
  )
}
