const scratch = Buffer.allocUnsafeSlow(384 * 1024)

/** A value as JSON in UTF-8. Written into a place that is large enough and copied: `Buffer.from` reads a text twice, once only to measure it. */
export function jsonBytes(value: unknown): Buffer<ArrayBuffer> {
  const text = JSON.stringify(value)
  if (text.length * 3 > scratch.length) return Buffer.from(text)
  return Buffer.from(scratch.subarray(0, scratch.write(text)))
}
