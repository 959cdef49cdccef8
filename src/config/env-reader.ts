/** Reads variables into typed values and collects what is wrong with them. A wrong one reads as its default. */
export class EnvReader {
  readonly problems: string[] = []
  readonly #variables: NodeJS.ProcessEnv

  constructor(variables: NodeJS.ProcessEnv) {
    this.#variables = variables
  }

  problem(name: string, message: string): void {
    this.problems.push(`${name} ${message}`)
  }

  text(name: string): string | null {
    return this.#variables[name]?.trim() || null
  }

  matching(name: string, pattern: RegExp, description: string): string | null {
    const text = this.text(name)
    if (text === null || pattern.test(text)) return text
    this.problem(name, `must be ${description}`)
    return null
  }

  choice(name: string, choices: readonly string[], fallback: string): string {
    const text = this.text(name) ?? fallback
    if (choices.includes(text)) return text
    this.problem(name, `must be one of ${choices.join(', ')}`)
    return fallback
  }

  integer(name: string, least: number, most: number, fallback: number): number {
    return this.optionalInteger(name, least, most) ?? fallback
  }

  optionalInteger(name: string, least: number, most: number): number | null {
    const text = this.text(name)
    if (text === null) return null
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    this.problem(name, `must be a whole number from ${least} to ${most}`)
    return null
  }

  flag(name: string): boolean {
    return ['true', '1'].includes(this.choice(name, ['true', 'false', '1', '0'], 'false'))
  }

  /** An absolute URL of one of the schemes; it may hold a password, so a problem never repeats it. */
  url(name: string, schemes: readonly string[]): string | null {
    const text = this.text(name)
    if (text === null || (URL.canParse(text) && schemes.includes(new URL(text).protocol))) return text
    this.problem(name, `must be an absolute URL that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`)
    return null
  }

  /** Origins (scheme, host, port) separated by commas, or `*`. */
  origins(name: string): string[] {
    const origins = (this.text(name) ?? '')
      .split(',')
      .map((origin) => origin.trim())
      .filter(Boolean)
    for (const origin of origins) {
      if (origin === '*' || (URL.canParse(origin) && new URL(origin).origin === origin)) continue
      this.problem(name, `holds ${JSON.stringify(origin)}, which is not an origin such as https://shop.example`)
    }
    return origins
  }
}
