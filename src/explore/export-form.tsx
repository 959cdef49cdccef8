/** The form that saves the store, or a sheet of it, as a file that an import takes. */
import type { JSX, TargetedEvent } from 'preact'
import { useState } from 'preact/hooks'
import { type Book, BookField, Problems, sheetTypes } from './import-form.tsx'
import { saveFile } from './save-file.ts'
import { useSession } from './session.tsx'

const contents: Readonly<Record<string, string>> = {
  store: 'The store, without subscriptions',
  subscriptions: 'Subscriptions, with emails and ids of cards',
  ...sheetTypes,
}

export function ExportForm({ books }: { readonly books: readonly Book[] }): JSX.Element {
  const { send } = useSession()
  const [content, setContent] = useState('store')
  const [isSaving, setSaving] = useState(false)
  const [problems, setProblems] = useState<readonly string[]>([])
  const isSheet = Object.hasOwn(sheetTypes, content)
  const submit = async (event: TargetedEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const format = isSheet ? String(typed.get('format')) : 'jsonl'
    const options = new URLSearchParams({ format })
    if (isSheet) options.set('type', content)
    if (content === 'subscriptions') options.set('subscriptions', 'true')
    const book = typed.get('book')
    if (book) options.set('book', String(book))
    setSaving(true)
    setProblems(await saveFile(send, 'POST', `/exports?${options}`, `${content}.${format}`))
    setSaving(false)
  }
  return (
    <form class="import" aria-label="Export" onSubmit={(event) => void submit(event)}>
      <label class="field">
        What
        <select value={content} onChange={({ currentTarget }) => setContent(currentTarget.value)}>
          {Object.entries(contents).map(([word, name]) => (
            <option key={word} value={word}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {content === 'product-price' && <BookField books={books} />}
      {isSheet && (
        <label class="field">
          As
          <select name="format">
            <option value="csv">CSV</option>
            <option value="xlsx">Excel workbook</option>
          </select>
        </label>
      )}
      <button type="submit" disabled={isSaving}>
        {isSaving ? 'Saving…' : 'Save it as a file'}
      </button>
      <Problems of={problems} />
    </form>
  )
}
