/** Regular forms of words that the stemmers of their languages leave apart (search.words-all-match). */

/** Plurals in Portuguese: pães of pão, jornais of jornal, homens of homem. */
export function portugueseSingular(word: string): string {
  return word
    .replace(/(?<=.)(?:õe|ãe|ão)s$/, 'ão')
    .replace(/(?<=.)[oa]es$/, 'ao')
    .replace(/(?<=..)([aeéoóuú])is$/, '$1l')
    .replace(/(?<=..)ns$/, 'm')
}

/** Plurals in Spanish: luces of luz. */
export function spanishSingular(word: string): string {
  return word.replace(/(?<=.)ces$/, 'z')
}

/** The end of a stem in Dutch as in a word without an ending: jas of jassen, kas of kazen, brief of brieven. */
export function dutchEnding(stem: string): string {
  return stem
    .replace(/([bcdfghj-np-tvwxz])\1$/, '$1')
    .replace(/z$/, 's')
    .replace(/v$/, 'f')
}

/** The end of a stem in Swedish, Danish and Norwegian as before an ending: cykl of cykel, sykl of sykkel. */
export function nordicEnding(stem: string): string {
  return stem.replace(/(?<=[aeiouyåäöæø].*)([bdfgkmnpstv])\1?e?l$/, '$1l')
}
