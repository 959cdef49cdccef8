/** Who is measured: how each is started, asked for a page, and its answer read as what all must agree on. */
import type { AgreedPage } from './agreed.ts'
import { ourGraphql } from './contenders/our-graphql.ts'
import { ourRest } from './contenders/our-rest.ts'
import { postgraphile } from './contenders/postgraphile.ts'
import { prisma } from './contenders/prisma.ts'
import { raw } from './contenders/raw.ts'
import type { LoadRequest } from './load.ts'
import type { PageSpec } from './pages.ts'
import type { Running } from './process.ts'

export interface Contender {
  readonly name: string
  /** Null where it can't be had. */
  start(databaseUrl: string): Promise<Running> | null
  /** What is sent for a page; asked once the server runs. */
  request(page: PageSpec): LoadRequest
  read(answer: unknown, page: PageSpec): AgreedPage
}

/** The first one's answers are what the others' are held to. */
export const contenders: readonly Contender[] = [raw, ourRest, ourGraphql, postgraphile, prisma]
