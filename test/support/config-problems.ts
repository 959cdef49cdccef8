import { ConfigError, loadConfig } from '../../src/config/config.ts'

/** What is wrong with these variables, a sentence each; none when the configuration loads. */
export function configProblems(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    loadConfig(env, () => 'made')
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}
