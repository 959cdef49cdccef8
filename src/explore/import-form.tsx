/** The form that sends a file to be imported. */
import type { JSX, TargetedEvent } from 'preact'
import { useState } from 'preact/hooks'
import { NO_RESPONSE, problemsOf } from './save-file.ts'
import { type Send, useSession } from './session.tsx'

/** What the rows of a sheet may be, by the words of `POST /imports`. */
export const sheetTypes = {
  product: 'Products',
  node: 'Nodes',
  'product-price': 'Prices',
  subscription_product: 'Subscription products',
  subscription_plan: 'Plans',
}
const rowTypes = { '': 'By its columns', ...sheetTypes }

const mediaTypes: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** The media type of a file by its name; what is no sheet is JSON lines. */
function mediaTypeOf(name: string): string {
  const ending = name.toLowerCase().split('.').at(-1) ?? ''
  return mediaTypes[ending] ?? 'application/x-ndjson'
}

/** A price book that can be chosen. */
export interface Book {
  readonly id: string
  readonly name: string
}

/** The price book of prices in a sheet. */
export function BookField({ books }: { readonly books: readonly Book[] }): JSX.Element {
  return (
    <label class="field">
      Price book
      <select name="book">
        {books.map(({ id, name }) => (
          <option key={id} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

/** What the server says is wrong with a file. */
export function Problems({ of: problems }: { readonly of: readonly string[] }): JSX.Element {
  return (
    <div role="status">
      {problems.map((problem) => (
        <p key={problem} class="failed">
          {problem}
        </p>
      ))}
    </div>
  )
}

interface ImportFormProps {
  readonly books: readonly Book[]
  readonly onSent: () => void
}

export function ImportForm({ books, onSent }: ImportFormProps): JSX.Element {
  const { send } = useSession()
  const [isSending, setSending] = useState(false)
  const [problems, setProblems] = useState<readonly string[]>([])
  const [isSheet, setSheet] = useState(false)
  const [type, setType] = useState('')
  const submit = async (event: TargetedEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const form = event.currentTarget
    const typed = new FormData(form)
    const file = typed.get('file') as File
    setSending(true)
    setProblems(await sendFile(send, file, optionsOf(typed, file.name)))
    setSending(false)
    onSent()
  }
  const choose = ({ currentTarget: { files } }: TargetedEvent<HTMLInputElement>): void =>
    setSheet(mediaTypeOf(files?.[0]?.name ?? '') !== 'application/x-ndjson')
  return (
    <form class="import" onSubmit={(event) => void submit(event)}>
      <label class="field">
        File
        <input name="file" type="file" required accept=".csv,.xlsx,.json,.jsonl,.ndjson" onChange={choose} />
      </label>
      {isSheet && (
        <label class="field">
          Its rows are
          <select name="type" value={type} onChange={({ currentTarget }) => setType(currentTarget.value)}>
            {Object.entries(rowTypes).map(([word, name]) => (
              <option key={word} value={word}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {isSheet && type === 'product-price' && <BookField books={books} />}
      {isSheet && (
        <label class="field">
          Decimal mark
          <select name="decimal">
            <option value="">as the file has it</option>
            <option value=".">point: 12.50</option>
            <option value=",">comma: 12,50</option>
          </select>
        </label>
      )}
      <label class="field">
        When a row is wrong
        <select name="on_error">
          <option value="skip">leave it out and go on</option>
          <option value="stop">stop there</option>
        </select>
      </label>
      <button type="submit" class="primary" disabled={isSending}>
        {isSending ? 'Sending…' : 'Send the file'}
      </button>
      <Problems of={problems} />
    </form>
  )
}

function optionsOf(typed: FormData, name: string): URLSearchParams {
  const options = new URLSearchParams({ file_name: name })
  for (const field of ['type', 'book', 'decimal', 'on_error']) {
    const value = typed.get(field)
    if (value) options.set(field, String(value))
  }
  return options
}

/** Sends a file. Returns what is wrong with it. */
async function sendFile(send: Send, file: File, options: URLSearchParams): Promise<string[]> {
  const headers = { 'content-type': mediaTypeOf(file.name) }
  try {
    const response = await send(`/imports?${options}`, { method: 'POST', headers, body: file })
    return response.ok ? [] : await problemsOf(response)
  } catch {
    return [NO_RESPONSE]
  }
}
