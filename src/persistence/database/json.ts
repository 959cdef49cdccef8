import { Prisma } from '../../generated/prisma/client.ts'

/** A plain value for a jsonb column. */
export function json(value: object): Prisma.InputJsonValue {
  return value as Prisma.InputJsonValue
}

/** A plain value for a nullable jsonb column, null as SQL NULL. */
export function jsonOrNull(value: object | null): Prisma.InputJsonValue | typeof Prisma.DbNull {
  return value === null ? Prisma.DbNull : json(value)
}
