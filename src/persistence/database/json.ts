/** JSON column values, in the types that Prisma wants. */
import { Prisma } from '../../generated/prisma/client.ts'

/** A value for a jsonb column. */
export function json(value: object): Prisma.InputJsonValue {
  return value as Prisma.InputJsonValue
}

/** A value for a nullable jsonb column; null becomes SQL NULL. */
export function jsonOrNull(value: object | null): Prisma.InputJsonValue | typeof Prisma.DbNull {
  return value === null ? Prisma.DbNull : json(value)
}
