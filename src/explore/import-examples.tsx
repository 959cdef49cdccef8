/** Sheets to start an import from. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Problems } from './import-form.tsx'
import { saveFile } from './save-file.ts'
import { useSession } from './session.tsx'

/** Sheets with what is stored now, which have the columns that an import takes. */
export function ImportExamples({ book }: { readonly book: string | undefined }): JSX.Element {
  const { send } = useSession()
  const [problems, setProblems] = useState<readonly string[]>([])
  const save = async (type: string): Promise<void> => {
    const options = new URLSearchParams({ format: 'xlsx', type, ...(type === 'product-price' && book && { book }) })
    setProblems(await saveFile(send, 'POST', `/exports?${options}`, `${type}.xlsx`))
  }
  return (
    <div>
      <p class="examples">
        Start from a workbook with what is stored now: change its rows, and send it.{' '}
        <button type="button" onClick={() => void save('product')}>
          Products as a sheet
        </button>{' '}
        {book && (
          <button type="button" onClick={() => void save('product-price')}>
            Prices of {book} as a sheet
          </button>
        )}
      </p>
      <Problems of={problems} />
    </div>
  )
}
