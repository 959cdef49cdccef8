/**
 * Text folding: spellings that a search takes for the same become the same text (search.one-analyser). It depends on
 * Unicode alone, never on the locale or version of a database.
 */
import anyAscii from 'any-ascii'

/** Signs that NFKC would turn into letters, and invisible characters within words. */
const IGNORED = /[\u00ad\u200b-\u200f\u2060\ufeff\u2122\u2120\u00ae\u00a9]/g
/** A fraction or a raised digit after a digit: without a space, 1½ would become 11/2. */
const AFTER_DIGIT = /(?<=\d)[\u00bc-\u00be\u2150-\u215e]/g
const APOSTROPHES = /[\u2018\u2019\u201b\u02bc\u02b9\u00b4`\u05f3\u2032]/g
const QUOTES = /[\u201c-\u201f\u2033\u3003]|''/g
/** Marks of abbreviations in Hebrew that are typed as quotes. */
const GERSHAYIM = /(?<=[\u05d0-\u05ea])"(?=[\u05d0-\u05ea])/g
/** What shops write as × between numbers. */
const TIMES = /(?<=\d\s?)\*(?=\s?\d)/g
/** Waves that stand for the mark of a long vowel. */
const LONG = /(?<=[\u3041-\u3096\u30fc])[~\u301c]+(?=[\u3041-\u3096])/g
/** Dots between the parts of a foreign name in Japanese and Chinese, which many leave out. */
const DOTS =
  /(?<=[\p{Script=Han}\p{Script=Hiragana}\u30fc])[\u00b7\u2022\u2027\u30fb](?=[\p{Script=Han}\p{Script=Hiragana}])/gu
const QUOTED = /['`\u00b4\u02b9\u02bc\u05f3\u2018-\u201f\u2032\u2033\u3003]/
/** The nasal circle of Thai and Lao before a tone mark, where NFKC has it after that. */
const CIRCLE = /([\u0e4d\u0ecd])([\u0e48-\u0e4b\u0ec8-\u0ecb])/g

/** The small letter of İ. */
const SMALL_DOTTED = /i\u0307/g
const SELDOM = /[\u0307\u0e4d\u0ecd*~\u301c"\u00b7\u2022\u2027\u30fb]/

/** The text in lower case and in the compatible forms of its characters, with its accents. */
export function foldCase(text: string): string {
  if (isAscii(text)) return foldAscii(text)
  const folded = withPlainQuotes(text.replace(AFTER_DIGIT, ' $&'))
    .normalize('NFKC')
    .replace(IGNORED, '')
    .toLowerCase()
    .normalize('NFC')
    .replace(/ς/g, 'σ')
    .replace(/×/g, 'x')
    .replace(/[\u30a1-\u30f6]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60))
    .replace(/(?![0-9])\p{Nd}/gu, (digit) => anyAscii(digit))
  return SELDOM.test(folded) ? withoutSeldomSpellings(folded) : folded
}

function withoutSeldomSpellings(text: string): string {
  const plain = text.replace(SMALL_DOTTED, 'i').replace(CIRCLE, '$2$1').replace(DOTS, '')
  return plain.replace(TIMES, 'x').replace(GERSHAYIM, '\u05f4').replace(LONG, 'ー')
}

function foldAscii(text: string): string {
  const plain = text.includes("''") ? text.replaceAll("''", '"') : text
  return (plain.includes('*') ? plain.replace(TIMES, 'x') : plain).toLowerCase()
}

function withPlainQuotes(text: string): string {
  return QUOTED.test(text) ? text.replace(APOSTROPHES, "'").replace(QUOTES, '"') : text
}

const STRESS = /(?<=[аеиоуыэюяіє])[\u0300\u0301]|(?<=е)\u0308/g
/** Accents of Latin and Greek letters, points of Hebrew, vowel signs of Arabic and its lengthening stroke. */
const MARKS = /[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]/g
const CYRILLIC = /[\u0400-\u052f]/
const ARABIC: Readonly<Record<string, string>> = { ى: 'ي', ی: 'ي', ک: 'ك', ة: 'ه', ٱ: 'ا' }

/**
 * A text of `foldCase` without accents. Letters that a language counts as letters of their own and no keyboard leaves
 * out stay, such as й. Marks that are vowels or change a consonant stay too, such as those of Thai, Hindi and Japanese.
 */
export function withoutAccents(text: string): string {
  if (isAscii(text)) return text
  if (CYRILLIC.test(text)) return text.normalize('NFD').replace(STRESS, '').normalize('NFC')
  return text
    .normalize('NFD')
    .replace(MARKS, '')
    .normalize('NFC')
    .replace(/[ىیکةٱ]/g, (letter) => ARABIC[letter] ?? letter)
    .replace(/(?![a-z])\p{Script=Latin}/gu, (letter) => anyAscii(letter).toLowerCase())
}

/**
 * The word with a, o and u in place of ae, oe and ue, which stand for umlauts on keyboards without them
 * (search.letters-by-language). Null when nothing is replaced; "neue" and "Quelle" have no umlauts.
 */
export function withUmlauts(word: string): string | null {
  const folded = word.replace(/([ao]|(?<![aeoq])u)e(?=.)/gu, '$1')
  return folded === word ? null : folded
}

/** The word with ae, oe and ue in place of its umlauts; null when it has none. */
export function withoutUmlauts(word: string): string | null {
  const spelt = word.replace(/[äöü]/g, (umlaut) => `${withoutAccents(umlaut)}e`)
  return spelt === word ? null : withoutAccents(spelt)
}

/** The word with an umlaut in place of ae, oe or ue at its end, from where it goes on; null for others. */
export function withLastUmlaut(word: string): string | null {
  const spelt = word.replace(/(?<=.)(?:[ao]|(?<![aeoq])u)e$/, (end) => ({ ae: 'ä', oe: 'ö', ue: 'ü' })[end] ?? end)
  return spelt === word ? null : spelt
}

/** The word with a and o in place of aa and oe, which stand for å and ø; null when nothing is replaced. */
export function withNordicLetters(word: string): string | null {
  const folded = word.replace(/aa/g, 'a').replace(/oe/g, 'o')
  return folded === word ? null : folded
}

/** The word with aa and oe in place of å and ø; null when it has none. */
export function withoutNordicLetters(word: string): string | null {
  const spelt = word.replace(/å/g, 'aa').replace(/ø/g, 'oe')
  return spelt === word ? null : withoutAccents(spelt)
}

/** Letters of Cyrillic and Greek whose capitals look like Latin ones, and these. */
const [LOOKALIKES, LATIN] = ['авекмнорстухαβεζηικμνορτυχ', 'abekmhopctyxabezhikmnoptyx']
const alike = new RegExp(`^[${LOOKALIKES}]{1,3}$`, 'u')

/** Whether a text has Cyrillic or Greek letters. */
export function mayLookAlike(text: string): boolean {
  return /[\u0370-\u052f\u1f00-\u1fff]/.test(text)
}

/**
 * The Latin letters that up to three letters of Cyrillic or Greek look like (search.look-alike-letters); null for other
 * words.
 */
export function lookalike(word: string): string | null {
  if (!alike.test(word)) return null
  return word.replace(/./gu, (letter) => LATIN.charAt(LOOKALIKES.indexOf(letter)))
}

/** Whether nothing in a text needs to be folded but its case. */
export function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  return /^[\x00-\x7f]*$/.test(text)
}
