/** Labels: what a store's names of sales, tiers, tags and attributes are called in languages (label.one-per-name). */
import type { Violation } from '../input/errors.ts'
import type { InputReader } from '../input/input-reader.ts'
import * as schema from '../input/json-schema.ts'
import { FREE_NAME_MAX, LABEL_NAME_MAX, LOCALES_MAX } from '../input/limits.ts'
import { defineRecord, type RecordOf } from '../input/record-definition.ts'
import { type JsonMember, text, word } from '../input/record-members.ts'
import { replacedBy } from '../input/whole-member.ts'
import { localize, type RequestLanguages } from '../language/language.ts'
import { type Locales, readTextsByTag } from '../language/locale.ts'
import { part, type Sides, type ThreeWayMerge } from './three-way-merge.ts'

/** Kinds of names; attributes are fields of extensions, by whatever template. */
export const labelKinds = ['sale', 'tier', 'tag', 'attribute', 'attribute_value'] as const

export type LabelKind = (typeof labelKinds)[number]

/** The names by language tag; null for none. */
const names: JsonMember<Locales | null, Locales, 'optional'> = {
  kind: 'locales',
  presence: 'optional',
  column: 'json',
  max: LOCALES_MAX,
  schema: schema.nullable(schema.map(schema.closed({ name: schema.text({ min: 1, max: LABEL_NAME_MAX }) }))),
  read: (reader) => readTextsByTag(reader, readName),
  merge: replacedBy<Locales | null>(null),
}

export const labelRecord = defineRecord(
  'label',
  {
    kind: word(labelKinds),
    key: text({ min: 1, max: FREE_NAME_MAX, isName: true, unique: 'within its kind' }),
    locales: names,
  },
  { key: tagViolations },
)

/** A stored label. */
export type Label = RecordOf<typeof labelRecord.members>

/** A label is nothing but its names, so a blank one is refused (label.names-are-visible). */
function readName(texts: InputReader | null | undefined): { readonly name?: string } {
  const name = texts?.text('name', { required: true, min: 1, max: LABEL_NAME_MAX, isName: true })
  return name == null ? {} : { name }
}

interface GivenName {
  readonly kind?: string | undefined
  readonly key?: string | undefined
}

/** Tags are stored in lower case (product.tags-in-lower-case), so no tag has another key. */
function tagViolations({ kind, key }: GivenName): Violation[] {
  if (kind !== 'tag' || key === undefined || key === key.toLowerCase()) return []
  const message = 'must be in lower case, as tags are stored'
  return [{ code: 'INVALID_FORMAT', path: [], message }]
}

/** The labels of a release by kind and key (label.frozen-at-publish); kinds without any are absent. */
export type ReleaseLabels = { readonly [Kind in LabelKind]?: Readonly<Record<string, Locales>> }

/**
 * What a name is called in the best accepted language that has a label, else in that of the store, else the name itself
 * (label.in-language).
 */
export function labelOf(
  labels: ReleaseLabels,
  kind: LabelKind,
  name: string,
  { acceptLanguage, storeLanguage }: RequestLanguages,
): string {
  const ofKind = labels[kind]
  const locales = ofKind && Object.hasOwn(ofKind, name) ? ofKind[name] : undefined
  if (!locales) return name
  const inStore = localize({ name, description: null, locales }, storeLanguage)
  return localize({ ...inStore, locales }, acceptLanguage).name
}

/** Levels at which labels are merged: kind, key and language. */
const LABEL_LEVELS = 3

/** Merges labels by kind, key and language (label.carried-by-language). */
export function mergeLabels(merge: ThreeWayMerge, sides: Sides<ReleaseLabels>): ReleaseLabels {
  const merged = merge.json('labels', part(sides, ofEachKind), LABEL_LEVELS)
  return Object.fromEntries(Object.entries(merged).filter(([, ofKind]) => Object.keys(ofKind).length > 0))
}

function ofEachKind(labels: ReleaseLabels): Record<LabelKind, Readonly<Record<string, Locales>>> {
  return { sale: {}, tier: {}, tag: {}, attribute: {}, attribute_value: {}, ...labels }
}
