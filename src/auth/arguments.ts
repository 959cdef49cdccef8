/** Arguments of the token command. */
import { parseArgs } from 'node:util'
import { isUuid } from '../domain/input/formats.ts'
import { isStorable } from '../domain/input/text.ts'
import type { Viewer } from './viewer.ts'

/** The parsed command line: whom the token is for. */
export interface TokenArguments extends Pick<Viewer, 'subject' | 'role' | 'accountId' | 'channel' | 'tags'> {
  readonly help: boolean
}

/** The help text. */
export const usage = `Usage: npm run -s token -- [options]

Prints a token that this server accepts for an hour, signed with its own secret: AUTH_SECRET, or the one in DATA_DIR.
  --account UUID    the account of the shopper
  --channel NAME    the channel that the token proves
  --tag NAME        a tag that the token proves; may be given again
  --role ROLE       shopper, the default, or admin
  --subject NAME    who it is for; by default the name of the role
  --help            prints this`

const options = {
  account: { type: 'string' },
  channel: { type: 'string' },
  tag: { type: 'string', multiple: true },
  role: { type: 'string' },
  subject: { type: 'string' },
  help: { type: 'boolean' },
} as const

/** Parses the command line; returns a sentence for the user when it is wrong. */
export function readArguments(args: readonly string[]): TokenArguments | string {
  let values: ReturnType<typeof parse>
  try {
    values = parse(args)
  } catch (error) {
    return (error as Error).message
  }
  const { account = null, channel = null, tag = [], role = 'shopper', help = false } = values
  const { subject = role } = values
  if (role !== 'shopper' && role !== 'admin') return `--role is shopper or admin, not ${role}`
  if (account !== null && !isUuid(account)) return `--account is a UUID, not ${account}`
  for (const [name, text] of [['channel', channel], ['subject', subject], ...tag.map((one) => ['tag', one])] as const)
    if (text === '' || (typeof text === 'string' && !isStorable(text))) return `--${name} takes a name`
  return { subject, role, accountId: account?.toLowerCase() ?? null, channel, tags: tag, help }
}

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], options, allowPositionals: false }).values
}
