import { describe, expect, test } from 'vitest'
import { lookUpLanguage } from '../../../src/domain/language/language.ts'
import { tagsInOrder } from '../../../src/domain/language/language-tag.ts'

describe('language.tags-of-one-language: tags that stand for each other', () => {
  test.each<[accepted: string, has: string[], shown: string | null]>([
    ['zh-TW', ['zh', 'zh-Hant', 'zh-TW'], 'zh-TW'],
    ['zh-TW', ['zh', 'zh-Hant'], 'zh-Hant'],
    ['zh-HK', ['zh', 'zh-TW', 'zh-Hant'], 'zh-Hant'],
    ['zh-HK', ['zh', 'zh-TW'], 'zh-TW'],
    ['zh-Hant-TW', ['zh-CN', 'zh-TW'], 'zh-TW'],
    ['zh-CN', ['zh-Hant', 'zh-Hans'], 'zh-Hans'],
    ['zh-Hans-CN', ['zh-TW', 'zh-CN'], 'zh-CN'],
    ['zh-SG', ['zh-Hant', 'zh-Hans'], 'zh-Hans'],
    ['sr-ME', ['sr', 'sr-Latn'], 'sr-Latn'],
    ['sr-Latn-RS', ['sr'], 'sr'],
    ['sh', ['sr-Latn'], 'sr-Latn'],
    ['no', ['da', 'nb'], 'nb'],
    ['nb-NO', ['no'], 'no'],
    ['no-NO', ['nb'], 'nb'],
    ['nn', ['nb'], 'nb'],
    ['nn-NO', ['nb', 'nn'], 'nn'],
    ['nb', ['nn'], null],
    ['iw-IL', ['he'], 'he'],
    ['he', ['iw'], null],
    ['in', ['id'], 'id'],
    ['tl', ['fil'], 'fil'],
    ['pt', ['pt-PT', 'pt-BR'], 'pt-BR'],
    ['pt-PT', ['pt-BR'], 'pt-BR'],
    ['pt-BR', ['pt', 'pt-PT'], 'pt'],
    ['pt-AO', ['pt-BR', 'pt-PT'], 'pt-PT'],
    ['pt-AO', ['pt-BR'], 'pt-BR'],
    ['es-MX', ['es', 'es-419'], 'es-419'],
    ['es-MX', ['es'], 'es'],
    ['es-ES', ['es-419', 'es'], 'es'],
    ['de-AT', ['de-DE'], 'de-DE'],
    ['de', ['de-CH'], null],
    ['en-GB', ['en-AU'], null],
    ['de-u-co-phonebk', ['de'], 'de'],
    ['x-foo', ['x-foo'], 'x-foo'],
  ])('who accepts %s of %j is shown %s', (accepted, has, shown) => {
    expect(lookUpLanguage(has, accepted)).toBe(shown)
  })

  test('each tag of the order is in it once, what is malformed alone', () => {
    expect(tagsInOrder('zh-HK')).toEqual([
      'zh-hk',
      'zh-hant-hk',
      'zh-hant',
      'zh-tw',
      'zh-hant-tw',
      'zh',
      'zh-cn',
      'zh-hans',
      'zh-hans-cn',
    ])
    expect(tagsInOrder('i-klingon')).toEqual(['i-klingon'])
    expect(tagsInOrder('xx-YY')).toEqual(['xx-yy', 'xx'])
  })
})
