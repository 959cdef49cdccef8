// Vendure with its default search, on PostgreSQL. Copied beside its packages before it is run. STEP=schema makes its
// tables and ends; else it serves the shop's graph.
import vendure from '@vendure/core'

const { bootstrap, DefaultLogger, DefaultSearchPlugin, LanguageCode, LogLevel, Populator } = vendure
const preparing = process.env.STEP === 'schema'
const app = await bootstrap({
  apiOptions: { port: 0, hostname: '127.0.0.1', cors: false },
  authOptions: {
    tokenMethod: 'bearer',
    superadminCredentials: { identifier: 'bench', password: 'bench-password' },
    cookieOptions: { secret: 'a secret of the benchmark' },
  },
  dbConnectionOptions: { type: 'postgres', url: process.env.DATABASE_URL, synchronize: preparing, logging: false },
  paymentOptions: { paymentMethodHandlers: [] },
  logger: new DefaultLogger({ level: LogLevel.Error }),
  plugins: [DefaultSearchPlugin],
})

if (preparing) {
  await app.get(Populator).populateInitialData({
    defaultLanguage: LanguageCode.en,
    defaultZone: 'Everywhere',
    countries: [{ code: 'US', name: 'United States', zone: 'Everywhere' }],
    taxRates: [{ name: 'None', percentage: 0 }],
    shippingMethods: [],
    paymentMethods: [],
    collections: [],
  })
  await app.close()
} else {
  console.log(await app.getUrl())
}
