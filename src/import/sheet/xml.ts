/** XML of a workbook, read piece by piece; documents with a DOCTYPE, and so with entities of their own, are refused. */
import { SaxesParser } from 'saxes'
import { BrokenSheet, ROW_BYTES_MAX } from './row.ts'

/** Bytes that the parser gets at once: by so much a tag or text may be longer before it is noticed. */
const PIECE_BYTES = 16 * 1024
/** Tags that may be open at once: the parser keeps each. A sheet of a workbook has some ten. */
const DEPTH_MAX = 64

/** The receiver of a document. Names are without their prefix. */
export interface XmlHandler {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  text(text: string): void
  close(name: string): void
}

/** Reads a document, and yields after each piece. Throws BrokenSheet. */
export async function* parseXml(pieces: AsyncIterable<Buffer>, handler: XmlHandler): AsyncGenerator<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const parser = new SaxesParser()
  /** Bytes since the last tag. */
  let unfinished = 0
  let depth = 0
  parser.on('opentag', ({ name, attributes }) => {
    unfinished = 0
    if (++depth > DEPTH_MAX) throw new BrokenSheet(`has XML that is nested deeper than ${DEPTH_MAX} levels`, null)
    handler.open(localName(name), attributes)
  })
  parser.on('closetag', ({ name }) => {
    unfinished = 0
    depth--
    handler.close(localName(name))
  })
  parser.on('text', (text) => handler.text(text))
  parser.on('cdata', (text) => handler.text(text))
  parser.on('doctype', () => {
    throw new BrokenSheet('has XML with a DOCTYPE, which no workbook has', null)
  })
  let isEmpty = true
  try {
    for await (const whole of pieces)
      for (let at = 0; at < whole.length; at += PIECE_BYTES) {
        const piece = whole.subarray(at, at + PIECE_BYTES)
        isEmpty = false
        unfinished += piece.length
        parser.write(decoder.decode(piece, { stream: true }))
        if (unfinished > ROW_BYTES_MAX + PIECE_BYTES)
          throw new BrokenSheet(`has a cell with more than ${ROW_BYTES_MAX} bytes`, null)
        yield
      }
    if (!isEmpty) parser.write(decoder.decode()).close()
  } catch (error) {
    if (error instanceof BrokenSheet) throw error
    throw new BrokenSheet(`has XML that can't be read: ${(error as Error).message.replace(/\s+/g, ' ')}`, null)
  }
  yield
}

/** Reads a document as a whole. */
export async function readXml(pieces: AsyncIterable<Buffer>, handler: Partial<XmlHandler>): Promise<void> {
  const none = (): void => {}
  for await (const _ of parseXml(pieces, { open: none, text: none, close: none, ...handler }));
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
