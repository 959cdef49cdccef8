/** GraphiQL in a browser: its tabs, editors and play button. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Browser } from './browser.ts'

/** The text of one of GraphiQL's editors. */
export const textOf = (
  page: Page,
  editor: 'operation.graphql' | 'variables.json' | 'request-headers.json' | 'response.json',
) =>
  page.evaluate((name) => {
    interface Model {
      readonly uri: { readonly path: string }
      getValue(): string
    }
    const { monaco } = globalThis as unknown as { monaco: { editor: { getModels(): Model[] } } }
    return (
      monaco.editor
        .getModels()
        .find(({ uri }) => uri.path.endsWith(name))
        ?.getValue() ?? ''
    )
  }, editor)

/** The tabs by their names. */
export const tabsOf = (page: Page) => page.locator('.graphiql-tab-button')

/** Goes somewhere and waits until the schema has come, the editors are filled in, and the first example has run. */
export async function visit(page: Page, go: () => Promise<unknown>): Promise<void> {
  const schema = page.waitForResponse((response) =>
    (response.request().postData() ?? '').includes('IntrospectionQuery'),
  )
  await go()
  await schema
  await expect.poll(() => page.locator('.monaco-editor .view-lines').count()).toBe(4)
  await expect.poll(() => textOf(page, 'request-headers.json')).toContain('Bearer')
  const root = page.locator('#root[data-first]')
  await root.waitFor()
  // The first screen has a result.
  if ((await root.getAttribute('data-first')) === 'played')
    await expect.poll(() => page.locator('#cost').textContent()).not.toBe('')
}

export async function openGraphiql(browser: Browser, base: string, query = ''): Promise<Page> {
  const page = await browser.open()
  await visit(page, () => page.goto(`${base}/graphql${query}`))
  return page
}

export async function openTab(page: Page, name: string): Promise<void> {
  await tabsOf(page).getByText(name, { exact: true }).click()
  await expect.poll(() => textOf(page, 'operation.graphql')).toContain(` ${name}(`)
  await parsed(page)
}

/**
 * GraphiQL shows an operation a moment before it has parsed it, and emits no event when it has: by then the page is
 * idle.
 */
export const parsed = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((resolve) => setTimeout(() => requestIdleCallback(resolve, { timeout: 30_000 }), 1_500))')

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
export async function play(page: Page): Promise<any> {
  // The page requests the schema by itself.
  const responded = page.waitForResponse((response) => {
    const body = response.request().postData() ?? 'IntrospectionQuery'
    return response.url().endsWith('/graphql') && !body.includes('IntrospectionQuery')
  })
  await page.locator('.graphiql-execute-button').click()
  const response = await (await responded).json()
  await expect.poll(async () => JSON.parse((await textOf(page, 'response.json')) || '{}').data).toEqual(response.data)
  return response
}

export const roleOf = async (page: Page): Promise<string> => {
  const { Authorization } = JSON.parse(await textOf(page, 'request-headers.json')) as { Authorization: string }
  return JSON.parse(Buffer.from(Authorization.split('.')[1] ?? '', 'base64url').toString()).role
}

export const checkedRole = (page: Page) => page.locator('.bar input:checked').getAttribute('value')
