import { describe, expect, test } from 'vitest'
import { readArguments } from '../../src/auth/arguments.ts'

const account = '0198f3c1-0000-7000-8000-00000000000a'

describe('token.made-by-hand: the arguments of npm run token', () => {
  test.each([
    [[], { subject: 'shopper', role: 'shopper', accountId: null, channel: null, tags: [], help: false }],
    [['--role', 'admin'], { subject: 'admin', role: 'admin' }],
    [
      ['--account', account.toUpperCase(), '--tag', 'member', '--tag=gold'],
      { accountId: account, tags: ['member', 'gold'] },
    ],
    [['--channel', 'web', '--subject', 'Ada'], { channel: 'web', subject: 'Ada' }],
    [['--help'], { help: true }],
  ])('%j are whom the token is for', (args, expected) => {
    expect(readArguments(args)).toMatchObject(expected)
  })

  test.each([
    [['--role', 'root'], '--role is shopper or admin, not root'],
    [['--account', 'me'], '--account is a UUID, not me'],
    [['--tag', ''], '--tag takes a name'],
    [['--channel', '\ud800'], '--channel takes a name'],
    [['--subject='], '--subject takes a name'],
  ])('%j are refused with a sentence', (args, sentence) => {
    expect(readArguments(args)).toBe(sentence)
  })

  test.each([[['--tags', 'member']], [['member']], [['--tag']]])('%j are refused', (args) => {
    expect(readArguments(args)).toBeTypeOf('string')
  })
})
