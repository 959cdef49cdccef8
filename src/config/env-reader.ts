import { isTimeZone } from '../lib/time-zone.ts'

/**
 * Environment reader: turns variables into typed values. It collects a problem for each invalid one, which then gets
 * its default. An empty variable counts as absent.
 */
export class EnvReader {
  readonly problems: string[] = []
  constructor(private readonly variables: NodeJS.ProcessEnv) {}

  /** Adds a problem of the variable `name`; `message` completes "NAME ...". */
  problem(name: string, message: string): void {
    this.problems.push(`${name} ${message}`)
  }

  /** The text without surrounding white space; null when absent. */
  text(name: string): string | null {
    return this.variables[name]?.trim() || null
  }

  /** A text that matches `pattern`; `description` completes "must be ...". */
  matching(name: string, pattern: RegExp, description: string): string | null {
    const text = this.text(name)
    if (text === null || pattern.test(text)) return text
    this.problem(name, `must be ${description}`)
    return null
  }

  /** One of `choices`. */
  choice(name: string, choices: readonly string[], fallback: string): string {
    const text = this.text(name) ?? fallback
    if (choices.includes(text)) return text
    this.problem(name, `must be one of ${choices.join(', ')}`)
    return fallback
  }

  /** The name of a time zone of the IANA database. */
  timeZone(name: string, fallback: string): string {
    const text = this.text(name) ?? fallback
    if (isTimeZone(text)) return text
    this.problem(name, 'must be the name of an IANA time zone, such as Europe/Berlin')
    return fallback
  }

  /** A whole number from `least` to `most`, both inclusive. */
  integer(name: string, least: number, most: number, fallback: number): number {
    return this.optionalInteger(name, least, most) ?? fallback
  }

  /** A whole number from `least` to `most`, or null when absent. */
  optionalInteger(name: string, least: number, most: number): number | null {
    const text = this.text(name)
    if (text === null) return null
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    this.problem(name, `must be a whole number from ${least} to ${most}`)
    return null
  }

  /** true, 1, false or 0; false when absent. */
  flag(name: string): boolean {
    return ['true', '1'].includes(this.choice(name, ['true', 'false', '1', '0'], 'false'))
  }

  /** An absolute URL with one of the schemes. It may contain a password, so the problem does not repeat it. */
  url(name: string, schemes: readonly string[]): string | null {
    const text = withHost(this.text(name) ?? '') || null
    if (text === null || isUrl(text, schemes)) return text
    this.problem(name, `must be an absolute URL that begins with ${beginnings(schemes)}`)
    return null
  }

  /** Texts separated by commas; none when absent. A variable with only commas is a problem. */
  list(name: string): string[] {
    const texts = (this.text(name) ?? '').split(',').flatMap((text) => text.trim() || [])
    if (texts.length === 0 && this.text(name) !== null) this.problem(name, 'must hold a text')
    return texts
  }

  /** Absolute URLs with one of the schemes, separated by commas. */
  urls(name: string, schemes: readonly string[]): string[] {
    const urls = this.list(name).map(withHost)
    if (urls.every((url) => isUrl(url, schemes))) return urls
    this.problem(name, `must be absolute URLs that begin with ${beginnings(schemes)}, separated by commas`)
    return []
  }

  /** An absolute URL that contains a placeholder. */
  urlTemplate(name: string, schemes: readonly string[], place: string): string | null {
    const text = this.text(name)
    // A URL with blanks parses too, but clients get this one as it stands.
    if (text === null || (text.includes(place) && !/\s/.test(text) && isUrl(text.replaceAll(place, 'id'), schemes)))
      return text
    this.problem(
      name,
      `must be an absolute URL with ${place} and without blanks that begins with ${beginnings(schemes)}`,
    )
    return null
  }

  /** Origins (scheme, host, port) separated by commas, or `*`. */
  origins(name: string): string[] {
    const origins = this.list(name)
    for (const origin of origins) {
      if (origin === '*' || (URL.canParse(origin) && new URL(origin).origin === origin)) continue
      this.problem(name, `holds ${JSON.stringify(origin)}, which is not an origin such as https://shop.example`)
    }
    return origins
  }

  /** Texts separated by commas, each of which matches `pattern`; `description` completes "must be ...". */
  names(name: string, pattern: RegExp, description: string): string[] {
    const names = this.list(name)
    if (names.every((one) => pattern.test(one))) return names
    this.problem(name, `must be ${description}, separated by commas`)
    return []
  }

  /** The URL of a proxy, with or without `http://`. It may contain a password, so the problem does not repeat it. */
  proxy(name: string): string | null {
    const text = this.either(name)
    if (text === null) return null
    const url = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`
    if (isUrl(url, ['http:', 'https:']) && /^([^%]|%[\da-f]{2})*$/i.test(url)) return url
    this.problem(name, 'must be the URL of a proxy that begins with http:// or https://')
    return null
  }

  /** Hosts separated by commas or blanks. */
  hosts(name: string): string[] {
    return (this.either(name) ?? '').split(/[\s,]+/).filter((host) => host !== '')
  }

  /**
   * The text of a variable that other programs also read in lower case. The lower case takes precedence, as in curl.
   */
  private either(name: string): string | null {
    return this.text(name.toLowerCase()) ?? this.text(name)
  }
}

function isUrl(text: string, schemes: readonly string[]): boolean {
  // A URL parses without the slashes too, but a browser takes `https:/files.example` for a path of the page's own host.
  return URL.canParse(text) && schemes.some((scheme) => text.toLowerCase().startsWith(`${scheme}//`))
}

/**
 * Gives a host to a PostgreSQL socket URL that has none after the user, as libpq allows. The parameter `host` replaces
 * it.
 */
function withHost(text: string): string {
  return text.replace(/^(postgres(?:ql)?:\/\/[^@/]*@)(?=\/)/, '$1localhost')
}

function beginnings(schemes: readonly string[]): string {
  return schemes.map((scheme) => `${scheme}//`).join(' or ')
}
