/**
 * Kept forms: what is typed stays in this tab, so that the browser's Back, a reload or a new sign-in does not lose it.
 * It is dropped once the form is done or closed.
 */
import { type ComponentChildren, createContext, type JSX, type RefObject, type TargetedEvent } from 'preact'
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** The names and values of a form's inputs, in their order. */
type Entries = readonly (readonly [string, string])[]

interface Kept<Base> {
  readonly entries: Entries
  /** What was stored when it was typed. */
  readonly base: Base
}

/** With what the keys in the session storage begin. */
const PREFIX = 'typed '

/** What was typed into the form of a name; null when there is nothing. */
export function readKept<Base = null>(name: string): Kept<Base> | null {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + name) ?? 'null')
  } catch {
    return null
  }
}

/** Whether something is kept of a form whose name begins so. */
export const hasKept = (name: string): boolean => keysOf(name).length > 0

/** Forgets what was typed into each form whose name begins so. */
export function dropKept(name: string): void {
  for (const key of keysOf(name)) sessionStorage.removeItem(key)
}

const keysOf = (name: string): string[] =>
  Object.keys(sessionStorage).filter((key) => key === PREFIX + name || key.startsWith(`${PREFIX}${name} `))

/**
 * Fills a form in with what was typed into it before, and gives what keeps it from now on. An input that is not there
 * yet, since a choice shows it, is filled in when it comes.
 */
export function useKeptForm<Base>(name: string, form: RefObject<HTMLFormElement>, base: Base): () => void {
  const missing = useRef<Entries | null>(null)
  useLayoutEffect(() => {
    if (!form.current) return
    const isFirst = missing.current === null
    missing.current ??= readKept(name)?.entries ?? []
    if (missing.current.length > 0) missing.current = fillIn(form.current, missing.current, isFirst)
  })
  return () => {
    if (!form.current) return
    // What is typed holds, and nothing is filled in over it.
    missing.current = []
    const entries = [...new FormData(form.current)].flatMap(([key, value]) =>
      typeof value === 'string' ? [[key, value] as const] : [],
    )
    try {
      sessionStorage.setItem(PREFIX + name, JSON.stringify({ entries, base } satisfies Kept<Base>))
    } catch {
      // A full storage keeps nothing more; the form itself goes on.
    }
  }
}

type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** The entries whose inputs are not there. */
function fillIn(form: HTMLFormElement, entries: Entries, isFirst: boolean): Entries {
  const all = [...form.elements].filter((one): one is Input => 'name' in one && one.name !== '')
  if (isFirst)
    for (const box of all)
      if (box instanceof HTMLInputElement && box.type === 'checkbox')
        box.checked = entries.some(([name]) => name === box.name)
  const places = new Map<string, Input[]>()
  for (const one of all) places.set(one.name, [...(places.get(one.name) ?? []), one])
  return entries.filter(([name, value]) => {
    const one = places.get(name)?.shift()
    if (!one) return true
    if (one.type === 'checkbox' || one.value === value) return false
    one.value = value
    // What else is shown follows from a choice.
    if (one instanceof HTMLSelectElement) one.dispatchEvent(new Event('change', { bubbles: true }))
    return false
  })
}

const Filled = createContext<Entries>([])

/** How many inputs of a name were kept by the form around; null where it keeps none. */
export function useKeptCount(name: string): number | null {
  const entries = useContext(Filled)
  return entries.length > 0 ? entries.filter(([one]) => one === name).length : null
}

/** What keeps the form around an element once it is shown again: to be called where rows come or go without typing. */
export function useKeptRows(place: { readonly current: HTMLElement | null }): () => void {
  const isChanged = useRef(false)
  useLayoutEffect(() => {
    if (isChanged.current) place.current?.dispatchEvent(new Event('input', { bubbles: true }))
    isChanged.current = false
  })
  return () => {
    isChanged.current = true
  }
}

interface KeptFormProps<Base> extends Omit<JSX.IntrinsicElements['form'], 'name' | 'onInput' | 'ref'> {
  /** What it is kept by. */
  readonly name: string
  /** What is stored, from which the typing begins. */
  readonly base?: Base
  readonly onInput?: () => void
  readonly children: ComponentChildren
}

/** A form that is kept. */
export function KeptForm<Base>({ name, base, onInput, children, ...rest }: KeptFormProps<Base>): JSX.Element {
  const place = useRef<HTMLFormElement>(null)
  const [entries] = useState(() => readKept(name)?.entries ?? [])
  const keep = useKeptForm(name, place as RefObject<HTMLFormElement>, base ?? null)
  const input = (_: TargetedEvent<HTMLFormElement>): void => {
    keep()
    onInput?.()
  }
  return (
    <form {...rest} ref={place} onInput={input}>
      <Filled.Provider value={entries}>{children}</Filled.Provider>
    </form>
  )
}
