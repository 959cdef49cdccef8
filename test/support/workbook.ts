/** Workbooks for tests, made of the XML of their parts, also such as no program writes. */
import { deflateRawSync } from 'node:zlib'

/** A part of a ZIP file; `declared` is the length that the directory says instead of the true one. */
export type ZipPart = string | Buffer | { readonly bytes: Buffer; readonly declared: number }

/** A ZIP file with these parts. */
export function zipOf(parts: Readonly<Record<string, ZipPart>>): Buffer {
  const locals: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const [name, part] of Object.entries(parts)) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : Buffer.isBuffer(part) ? part : part.bytes
    const length = typeof part === 'object' && 'declared' in part ? part.declared : bytes.length
    const packed = deflateRawSync(bytes)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed])
    const end = Buffer.alloc(14)
    end.writeUInt32LE(offset, 10)
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, end, Buffer.from(name)]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}

const relationship = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** The parts of a workbook whose sheets have this XML in their `sheetData`; `more` adds parts or replaces them. */
export function workbookOf(
  sheets: readonly string[],
  more: Readonly<Record<string, ZipPart>> = {},
  properties = '',
): Buffer {
  const relations = sheets.map(
    (_, at) => `<Relationship Id="r${at}" Type="${relationship}/worksheet" Target="s${at}.xml"/>`,
  )
  const shared = `<Relationship Id="t" Type="${relationship}/sharedStrings" Target="/xl/texts.xml"/>`
  const styles = `<Relationship Id="y" Type="${relationship}/styles" Target="styles.xml"/>`
  return zipOf({
    '_rels/.rels': `<Relationships><Relationship Id="w" Type="${relationship}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relations.join('')}${shared}${styles}</Relationships>`,
    'xl/workbook.xml': `<workbook>${properties}<sheets>${sheets.map((_, at) => `<sheet name="S${at}" r:id="r${at}"/>`).join('')}</sheets></workbook>`,
    ...Object.fromEntries(
      sheets.map((data, at) => [`xl/s${at}.xml`, `<worksheet><sheetData>${data}</sheetData></worksheet>`]),
    ),
    ...more,
  })
}
