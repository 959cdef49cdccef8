/** Words of options: what each edge calls an option in what an import says (import.options-as-they-are-given). */

/** The options that messages name. */
type NamedOption = 'decimal' | 'publish-anyway' | 'ignore-unknown'

/** An option as it is given; without a value it is a flag. */
export type SpellOption = (option: NamedOption, value?: string) => string

/** As it is typed, such as `--decimal ","`. */
export const onCommandLine: SpellOption = (option, value) =>
  `--${option}${value === undefined ? '' : ` ${JSON.stringify(value)}`}`

/** As the parameter of `POST /imports`, such as `publish_anyway=true`. */
export const byHttp: SpellOption = (option, value = 'true') => `${option.replaceAll('-', '_')}=${value}`
