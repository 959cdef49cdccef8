/**
 * Token command: `npm run token -- --account UUID --tag NAME` (token.made-by-hand). It prints a token and exits with 0,
 * or with 2 when it could make none. Standard error says whose secret signed it.
 */
import { loadConfig } from '../config/config.ts'
import { runCommand } from '../server/run-command.ts'
import { readArguments, type TokenArguments, usage } from './arguments.ts'
import { createIssueToken } from './issue.ts'

async function run(asked: TokenArguments): Promise<boolean> {
  const { auth, dataDir } = loadConfig(process.env)
  if (auth.kind !== 'secret')
    throw new Error('This server checks tokens by AUTH_JWKS_URL: the identity provider makes them')
  console.log((await createIssueToken(auth)(asked, Date.now())).token)
  if (!process.env.AUTH_SECRET)
    console.error(`Signed with the secret in ${dataDir}. Another server needs its own DATA_DIR or AUTH_SECRET here.`)
  return true
}

await runCommand(readArguments(process.argv.slice(2)), usage, run)
