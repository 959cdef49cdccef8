/**
 * What order, facets and search cost on 100,000 products, against a page in the default order, and what the turn of a
 * large sale costs.
 */
import { dropDatabase, PRODUCTS } from '../data.ts'
import type { LoadResult } from '../load.ts'
import { ask, connectionCounts } from '../measure.ts'
import { markdown, shown } from '../report.ts'
import { ourShop } from './ours.ts'
import type { Question } from './question.ts'
import { everyCurrency, pagesOf, searches, suggestionsOf } from './questions.ts'
import { buildStore } from './store.ts'
import { measureTurn } from './turn.ts'
import { load, mean, type Open } from './versus.ts'

interface Row {
  readonly name: string
  readonly goal: string
  readonly questions: readonly Question[]
}

function rowsOf(products: number): Row[] {
  return [
    { name: 'category page', goal: '', questions: pagesOf('category', products, everyCurrency) },
    { name: 'by price with facets', goal: '0.6', questions: pagesOf('sorted', products, everyCurrency) },
    { name: 'text search', goal: '0.5', questions: searches(everyCurrency) },
    { name: 'suggestions', goal: 'p99 30 ms, 10 connections', questions: suggestionsOf(everyCurrency) },
  ]
}

/** Each load twice, in turns with the others. */
async function measureRows(open: Open, rows: readonly Row[], seconds: number): Promise<string[][]> {
  for (const { questions } of rows) {
    const first = open.shop.request(questions[0] as Question)
    const answer = JSON.parse((await ask(open.running.url, first)).text)
    if (questions[0]?.kind !== 'suggestions') open.shop.read(answer)
    else if (answer.errors) throw new Error(JSON.stringify(answer.errors))
    await load(open, questions, 10, seconds)
  }
  const lines: string[][] = []
  for (const connections of connectionCounts) {
    const results = rows.map((): LoadResult[] => [])
    for (const order of [rows, rows.toReversed()]) {
      for (const row of order) results[rows.indexOf(row)]?.push(await load(open, row.questions, connections, seconds))
    }
    const means = results.map(mean)
    lines.push(
      ...rows.map(({ name, goal }, at) => {
        const { perSecond, p50, p99 } = means[at] as LoadResult
        return [
          `${name}, ${connections}`,
          `${shown(perSecond)}/s ${shown(p50)}/${shown(p99)}`,
          shown(perSecond / (means[0] as LoadResult).perSecond),
          goal,
        ]
      }),
    )
  }
  return lines
}

export async function measureOwn(name: string, seconds: number, products = PRODUCTS): Promise<string[]> {
  const database = `${name}_own`
  try {
    console.log(`Building ${products} products ...`)
    await buildStore(database, products)
    const shop = ourShop(database)
    const running = await shop.start()
    if (!running) throw new Error('this server did not start')
    try {
      const lines = await measureRows({ shop, running, database }, rowsOf(products), seconds)
      return [
        `${products} products of ours; requests a second and p50/p99 in ms by question and connections, each measured twice in turns.`,
        '',
        ...markdown(['', 'measured', 'of a category page', 'goal'], lines),
        '',
        ...(await measureTurn({ shop, running, database }, products)),
      ]
    } finally {
      await running.stop()
    }
  } finally {
    await dropDatabase(database)
  }
}
