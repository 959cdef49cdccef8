import { describe, expect, it } from 'vitest'
import { Progress, summary } from '../../src/import/report.ts'

describe('summary', () => {
  it('import.exit-code-and-counts: the summary of an import counts created, updated, unchanged and refused objects by type', () => {
    const counts = new Map([
      ['pricebook', { created: 1, updated: 0, unchanged: 2, refused: 0 }],
      ['node', { created: 0, updated: 3, unchanged: 0, refused: 4 }],
    ])
    expect(summary(counts).split('\n')).toEqual([
      'type        created   updated unchanged   refused',
      'pricebook         1         0         2         0',
      'node              0         3         0         4',
      'total             1         3         2         4',
    ])
  })
})

describe('Progress', () => {
  function progress(isTTY: boolean) {
    let now = 0
    let text = ''
    const output = { isTTY, columns: 60, write: (more: string) => (text += more) }
    const shown = new Progress(output, () => now)
    return { shown, pass: (ms: number) => (now += ms), written: () => text }
  }

  it('the progress of an import is a bar on a terminal, drawn ten times a second at most, and removed at the end', () => {
    const { shown, pass, written } = progress(true)
    pass(100)
    shown.show('f', 0.5, 7)
    pass(99)
    shown.show('f', 0.6, 8)
    shown.line('x:1: wrong')
    expect(written()).toBe('\r\u001b[2Kf [############------------] 50 % read, 7 objects done\r\u001b[2Kx:1: wrong\n')
  })

  it('the progress of an import is plain lines elsewhere, one every five seconds at most', () => {
    const { shown, pass, written } = progress(false)
    shown.show('f', 0.1, 1)
    pass(5_000)
    shown.show('f', 0.5, 7)
    pass(4_999)
    shown.show('f', 0.6, 8)
    expect(written()).toBe('f: 50 % read, 7 objects done\n')
  })

  it('the progress of an import from a pipe is how many objects are done, since it has no size', () => {
    const { shown, pass, written } = progress(false)
    pass(5_000)
    shown.show('pipe', null, 7)
    expect(written()).toBe('pipe: 7 objects done\n')
    const terminal = progress(true)
    terminal.pass(100)
    terminal.shown.show('pipe', null, 7)
    expect(terminal.written()).toBe('\r\u001b[2Kpipe 7 objects done')
  })
})
