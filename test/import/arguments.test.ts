import { expect, it } from 'vitest'
import { readArguments } from '../../src/import/arguments.ts'

it.each([
  [['a', 'b'], { onError: 'stop', files: ['a', 'b'] }],
  [['--on-error', 'skip', 'a'], { onError: 'skip', files: ['a'] }],
  [['a', '--on-error=skip', '--on-error=stop'], { onError: 'stop', files: ['a'] }],
  [['--', '--on-error'], { onError: 'stop', files: ['--on-error'] }],
  [[], 'No file is given'],
  [['--on-error', 'skip'], 'No file is given'],
  [['a', '--on-error'], '--on-error takes stop or skip'],
  [['--on-error=ignore', 'a'], '--on-error takes stop or skip'],
  [['--force', 'a'], 'There is no option --force'],
  [['-f', 'a'], 'There is no option -f'],
])('import.exit-code-and-counts: the command line %j of an import means %j', (args, meaning) => {
  expect(readArguments(args)).toEqual(meaning)
})
