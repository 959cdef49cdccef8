/** Files that the server sends to who has a token, saved by the browser. A link could not send the token. */
import type { Send } from './session.tsx'

/** Saves what the server sends, under a name. Returns what is wrong; none when it is saved. */
export async function saveFile(send: Send, method: 'GET' | 'POST', path: string, name: string): Promise<string[]> {
  try {
    const response = await send(path, { method })
    if (!response.ok) return await problemsOf(response)
    const link = document.createElement('a')
    link.href = URL.createObjectURL(await response.blob())
    link.download = name
    link.click()
    URL.revokeObjectURL(link.href)
    return []
  } catch {
    return [NO_RESPONSE]
  }
}

/** What is said when nothing comes. */
export const NO_RESPONSE = 'The server does not respond.'

/** What the server says is wrong. */
export async function problemsOf(response: Response): Promise<string[]> {
  const { errors } = (await response.json()) as { errors: { detail?: string; title: string }[] }
  return errors.map(({ detail, title }) => detail ?? title)
}
