/** The texts of a product as they are authored, in each of its languages, to be changed. */
import type { JSX, TargetedEvent } from 'preact'
import { useState } from 'preact/hooks'
import { readKept } from './kept-form.tsx'
import { languageName, type TextsOfProduct } from './text-values.ts'
import { TextsForm } from './texts-form.tsx'

interface EditTextsProps {
  /** With what the names begin by which typed texts are kept. */
  readonly name: string
  readonly product: TextsOfProduct
  readonly onSaved: () => void
}

/** A form for the texts that are shown where a language has none, and one for each language, folded. */
export function EditTexts({ name, product, onSaved }: EditTextsProps): JSX.Element {
  const nameOf = (language: string | null): string => `${name} texts ${language ?? ''}`
  // What was typed before is saved over no other state than that in which it was typed.
  const [known, setKnown] = useState(() => {
    const tags = [null, ...product.locales.map(({ language }) => language)]
    return tags.flatMap((tag) => readKept<TextsOfProduct>(nameOf(tag))?.base ?? [])[0] ?? product
  })
  // A language whose texts are cleared stays, with what its form says.
  const [shown, setShown] = useState<readonly string[]>(() => product.locales.map(({ language }) => language))
  const [added, setAdded] = useState<readonly string[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const stored = known.locales.map(({ language }) => language)
  const languages = [...shown, ...stored.filter((tag) => !isIn(shown, tag))]
  const form = { product: known, onProduct: setKnown, onSaved }
  const add = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const tag = String(new FormData(event.currentTarget).get('tag')).trim()
    const isThere = isIn(languages, tag)
    const isTag = languageName(tag) !== undefined
    setProblem(isThere ? 'That language is there.' : isTag ? null : 'A language is a tag such as de or pt-BR.')
    if (isThere || !isTag) return
    setShown([...shown, tag])
    setAdded([...added, tag])
    event.currentTarget.reset()
  }
  return (
    <div class="edit">
      <h3>Texts</h3>
      <TextsForm name={nameOf(null)} language={null} {...form} />
      {languages.map((language) => (
        <details key={language} open={isIn(added, language) || readKept(nameOf(language)) !== null}>
          <summary>In {languageName(language)}</summary>
          <TextsForm name={nameOf(language)} language={language} {...form} />
        </details>
      ))}
      <form onSubmit={add}>
        <label class="field">
          Another language
          <input name="tag" required size={6} placeholder="de" />
        </label>{' '}
        <button type="submit">Add it</button>
        {problem && (
          <p class="failed" role="alert">
            {problem}
          </p>
        )}
      </form>
    </div>
  )
}

const isIn = (languages: readonly string[], tag: string): boolean =>
  languages.some((language) => language.toLowerCase() === tag.toLowerCase())
