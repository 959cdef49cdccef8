import { expect, it } from 'vitest'
import { readArguments } from '../../src/import/arguments.ts'

const plain = {
  onError: 'stop',
  dryRun: false,
  resume: false,
  ignoreUnknown: false,
  publishAnyway: false,
  refused: null,
  sheet: null,
  from: null,
  help: false,
  files: ['a'],
}
const shopify = ['--from=shopify-csv', '--book=Shop']
const known =
  'there are --on-error, --dry-run, --refused, --resume, --ignore-unknown, --publish-anyway, --type, --book, --decimal, --from, --currency, --includes-tax, --help'

it.each([
  [['a', 'b'], { ...plain, files: ['a', 'b'] }],
  [['--on-error', 'skip', 'a'], { ...plain, onError: 'skip' }],
  [['a', '--on-error=skip', '--on-error=stop'], plain],
  [['--on-error', 'rollback', 'a'], { ...plain, onError: 'rollback' }],
  [['--dry-run', 'a', '--refused', 'r'], { ...plain, dryRun: true, refused: 'r' }],
  [['--resume', '--refused=r', 'a'], { ...plain, resume: true, refused: 'r' }],
  [['--help'], { ...plain, help: true, files: [] }],
  [['--', '--on-error'], { ...plain, files: ['--on-error'] }],
  [[], 'No file is given'],
  [['--on-error', 'skip'], 'No file is given'],
  [['a', '--on-error'], '--on-error takes stop, skip, rollback'],
  [['--on-error=ignore', 'a'], '--on-error takes stop, skip, rollback'],
  [['a', '--refused'], '--refused takes the name of a file'],
  [['a', '--refused='], '--refused takes the name of a file'],
  [['a', '--dry-run=yes'], '--dry-run takes no value'],
  [['a', '--resume', '--dry-run'], '--resume is not for --dry-run and --on-error rollback, which begin anew each time'],
  [
    ['a', '--resume', '--on-error=rollback'],
    '--resume is not for --dry-run and --on-error rollback, which begin anew each time',
  ],
  [
    ['--type=product-price', '--book=Retail', 'a.csv'],
    { ...plain, sheet: { type: 'product-price', book: 'Retail', decimal: undefined }, files: ['a.csv'] },
  ],
  [['--type=product', 'a.csv'], { ...plain, sheet: { type: 'product', decimal: undefined }, files: ['a.csv'] }],
  [['--type=product', '--book=Retail', 'a.csv'], '--book is for --type product-price'],
  [['--type=catalog', 'a.csv'], '--type takes product-price, product, node, subscription_product, subscription_plan'],
  [['--decimal=x', '--type=product-price', '--book=Retail', 'a.csv'], '--decimal takes . or ,'],
  [
    ['--refused=r.jsonl', '--type=product-price', '--book=Retail', 'a.csv'],
    '--refused takes one sheet at a time, and the name of another file that ends in .csv',
  ],
  [
    ['--refused=r.csv', '--type=product', 'a.xlsx'],
    '--refused takes one sheet at a time, and the name of another file that ends in .xlsx',
  ],
  [['--refused=r.xlsx', 'a.jsonl'], '--refused writes a sheet only for a sheet'],
  [['a.xlsx'], { ...plain, sheet: { type: null, decimal: undefined }, files: ['a.xlsx'] }],
  [
    ['--book=Retail', 'a.XLSX', '--refused', 'r.xlsx'],
    { ...plain, refused: 'r.xlsx', sheet: { type: 'product-price', book: 'Retail' }, files: ['a.XLSX'] },
  ],
  [['--from=elasticpath-pcm', 'store'], { ...plain, from: { system: 'elasticpath-pcm' }, files: ['store'] }],
  [['--from=elasticpath-pcm', '-'], { ...plain, from: { system: 'elasticpath-pcm' }, files: ['-'] }],
  [
    [...shopify, '--currency=EUR', '--includes-tax=false', '--refused=r.jsonl', 'a.csv', 'b.csv'],
    {
      ...plain,
      refused: 'r.jsonl',
      from: { system: 'shopify-csv', book: 'Shop', currency: 'EUR', includesTax: false },
      files: ['a.csv', 'b.csv'],
    },
  ],
  [['--from=magento', 'a'], '--from takes elasticpath-pcm, shopify-csv'],
  [['--from', '--', 'a'], '--from takes elasticpath-pcm, shopify-csv'],
  [['--from=elasticpath-pcm'], '--from elasticpath-pcm takes one folder, one file, or - for standard input'],
  [['--from=elasticpath-pcm', 'a', 'b'], '--from elasticpath-pcm takes one folder, one file, or - for standard input'],
  [['--from=elasticpath-pcm', '--book=A', 'a'], '--book is not for --from elasticpath-pcm'],
  [['--from=shopify-csv', 'a.csv'], '--from shopify-csv needs --book with the name of a price book'],
  [
    [...shopify, 'a.csv'],
    '--from shopify-csv needs --currency with the currency of the prices, such as EUR: its file does not say it',
  ],
  [
    [...shopify, '--currency=euro', 'a.csv'],
    '--from shopify-csv needs --currency with the currency of the prices, such as EUR: its file does not say it',
  ],
  [
    [...shopify, '--currency=EUR', 'a.csv'],
    '--from shopify-csv needs --includes-tax true or false: its file does not say it',
  ],
  [
    [...shopify, '--currency=EUR', '--includes-tax=yes', 'a.csv'],
    '--from shopify-csv needs --includes-tax true or false: its file does not say it',
  ],
  [[...shopify, '--type=product', 'a.csv'], '--type is not for --from shopify-csv'],
  [[...shopify, '--currency=EUR', '--includes-tax=true'], 'No file is given'],
  [['--currency=EUR', 'a.csv'], '--currency is for --from shopify-csv'],
  [['--force', 'a'], `There is no option --force; ${known}`],
  [['-f', 'a'], `There is no option -f; ${known}`],
])('import.exit-code-and-counts: the command line %j of an import means %j', (args, meaning) => {
  expect(readArguments(args)).toEqual(meaning)
})
