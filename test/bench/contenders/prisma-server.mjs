// What a team writes first: Yoga, Pothos and Prisma's include over the authoring tables, with a DataLoader where it is
// customary. No authentication, no logging. Not TypeScript, since this project's builder adds required options to
// Pothos's types.
import { createServer } from 'node:http'
import SchemaBuilder from '@pothos/core'
import { PrismaPg } from '@prisma/adapter-pg'
import DataLoader from 'dataloader'
import { createYoga } from 'graphql-yoga'
import { PrismaClient } from '../../../src/generated/prisma/client.ts'

const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL, max: 10 }) })
const catalogId = process.env.CATALOG ?? ''

function createContext() {
  return {
    priceBySku: new DataLoader(async (skus) => {
      const books = await prisma.catalogPriceBook.findMany({
        where: { catalogId },
        orderBy: [{ priority: 'desc' }, { position: 'asc' }],
      })
      const prices = await prisma.productPrice.findMany({
        where: { sku: { in: [...skus] }, priceBookId: { in: books.map((book) => book.priceBookId) } },
        include: { sales: true },
      })
      const rank = (price) => books.findIndex((book) => book.priceBookId === price.priceBookId)
      prices.sort((left, right) => rank(left) - rank(right))
      return skus.map((sku) => prices.find((price) => price.sku === sku) ?? null)
    }),
    nodeById: new DataLoader(async (ids) => {
      const nodes = await prisma.catalogNode.findMany({ where: { id: { in: [...ids] } } })
      return ids.map((id) => nodes.find((node) => node.id === id) ?? null)
    }),
  }
}

const builder = new SchemaBuilder({ defaultFieldNullability: false })

const Amount = builder.objectRef('Amount').implement({
  fields: (t) => ({
    currency: t.exposeString('currency'),
    amount: t.exposeInt('amount'),
    includesTax: t.exposeBoolean('includesTax'),
  }),
})

const amounts = (stored) =>
  Object.entries(stored).map(([currency, { amount, includes_tax: includesTax }]) => ({ currency, amount, includesTax }))

const Crumb = builder.objectRef('Crumb').implement({
  fields: (t) => ({ id: t.exposeID('id'), ancestors: t.exposeStringList('ancestors') }),
})

async function ancestorsOf(id, { nodeById }) {
  const parent = (await nodeById.load(id))?.parentId
  return parent ? [...(await ancestorsOf(parent, { nodeById })), parent] : []
}

async function priceOf(product, { priceBySku }) {
  const price = product.sku === null ? null : await priceBySku.load(product.sku)
  if (!price) return null
  const now = new Date()
  const running = price.sales.filter(
    (sale) => (!sale.validFrom || sale.validFrom <= now) && (!sale.validTo || now < sale.validTo),
  )
  const length = (sale) =>
    Number(sale.validTo ?? Number.POSITIVE_INFINITY) - Number(sale.validFrom ?? Number.NEGATIVE_INFINITY)
  // sale.shortest-period-wins
  const sale = running.sort((left, right) => length(left) - length(right))[0] ?? null
  const original = price.currencies
  return { sale, original, current: { ...original, ...sale?.currencies } }
}

const ProductRef = builder.objectRef('Product').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.string({
      args: { language: t.arg.string({ required: true }) },
      resolve: (product, { language }) => product.locales?.[language]?.name ?? product.name,
    }),
    sku: t.exposeString('sku', { nullable: true }),
    slug: t.exposeString('slug'),
    prices: t.field({
      type: [Amount],
      resolve: async (product, _, ctx) => amounts((await priceOf(product, ctx))?.current ?? {}),
    }),
    original: t.field({
      type: [Amount],
      resolve: async (product, _, ctx) => amounts((await priceOf(product, ctx))?.original ?? {}),
    }),
    display: t.int({
      nullable: true,
      args: { currency: t.arg.string({ required: true }) },
      resolve: async (product, { currency }, ctx) => (await priceOf(product, ctx))?.current[currency]?.amount ?? null,
    }),
    sale: t.string({
      nullable: true,
      resolve: async (product, _, ctx) => (await priceOf(product, ctx))?.sale?.name ?? null,
    }),
    saleExpires: t.string({
      nullable: true,
      resolve: async (product, _, ctx) => (await priceOf(product, ctx))?.sale?.validTo?.toISOString() ?? null,
    }),
    breadcrumbs: t.field({
      type: [Crumb],
      resolve: (product, _, ctx) =>
        Promise.all(
          product.nodes.map(async ({ nodeId }) => ({ id: nodeId, ancestors: await ancestorsOf(nodeId, ctx) })),
        ),
    }),
    parent: t.exposeString('parentId', { nullable: true }),
    children: t.stringList({ resolve: ({ children }) => children.map(({ id }) => id) }),
    mainImage: t.exposeString('mainImageId', { nullable: true }),
    files: t.stringList({ resolve: ({ files }) => files?.map(({ id }) => id) ?? [] }),
  }),
})

const shown = (nodeId) => ({ nodeId, product: { status: 'live' } })

function pageOf(nodeId, skip) {
  return prisma.nodeProduct.findMany({
    where: shown(nodeId),
    include: {
      product: { include: { children: { select: { id: true }, orderBy: { createdAt: 'asc' } }, nodes: true } },
    },
    orderBy: [{ product: { updatedAt: 'desc' } }, { productId: 'asc' }],
    skip,
    take: 25,
  })
}

builder.queryType({
  fields: (t) => ({
    total: t.int({
      args: { node: t.arg.id({ required: true }) },
      resolve: (_, { node }) => prisma.nodeProduct.count({ where: shown(node) }),
    }),
    products: t.field({
      type: [ProductRef],
      args: { node: t.arg.id({ required: true }), offset: t.arg.int({ required: true }) },
      resolve: async (_, { node, offset }) => (await pageOf(node, offset)).map(({ product }) => product),
    }),
  }),
})

const yoga = createYoga({ schema: builder.toSchema(), context: createContext, graphiql: false, logging: false })
const server = createServer(yoga)
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())))
