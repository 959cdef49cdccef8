/** Log of connections that are lost and regained. */
export interface ConnectionLog {
  warn(details: object, message: string): void
  info?(details: object, message: string): void
}
