/** A guide, played: its documents, answers and pictures in the order of the page. */
import { readPage } from './markdown.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Json = any

/** A document with its answer and the one that the page shows, or the place of a picture. */
export type Step =
  | { readonly document: string; readonly answer: Json; readonly shown: Json }
  | { readonly picture: string }

/**
 * Plays the page. `send` sends a document; `later` is an instant to come. What a document says to paste is the instant,
 * or the last id or key in the answers before. Where the page says so, a document is sent again without its dry run.
 */
export async function* playGuide(
  guide: 'merchandising' | 'subscriptions',
  send: (document: string) => Promise<Json>,
  later = '',
): AsyncGenerator<Step> {
  const page = readPage(`src/guides/${guide}.md`)
  let [id, key] = ['', '']
  const items = page.matchAll(
    /^```(graphql|json)\n([\s\S]*?)^```|pictures\/merchandising-(\w+)-dark\.png|^Put `dryRun: false`/gm,
  )
  let [document, answer, shown]: [string, Json, Json] = ['', undefined, undefined]
  for (const [, language, code = '', picture] of items) {
    if (picture !== undefined) yield { picture }
    else if (language === 'graphql') document = code
    else {
      if (language === 'json') shown = JSON.parse(code)
      else document = document.replace('dryRun: true', 'dryRun: false')
      const sent = document
        .replace(/PASTE THE ID[^"]*/, id)
        .replace(/PASTE THE KEY[^"]*/, key)
        .replace(/PASTE AN INSTANT[^"]*/, later)
      answer = await send(sent)
      const text = JSON.stringify(answer)
      id = /"id":"([^"]+)"/.exec(text)?.[1] ?? id
      key = /"key":"([^"]+)"/.exec(text)?.[1] ?? key
      yield { document: sent, answer, shown }
    }
  }
}
