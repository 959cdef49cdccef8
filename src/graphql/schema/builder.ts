/** Pothos schema builder, to which all modules add their types and fields; schema.ts builds the schema. */
import SchemaBuilder from '@pothos/core'
import '@pothos/plugin-relay'
import type { GraphTypes } from './graph-types.ts'
import { relayOptions } from './relay.ts'
import './rights.ts'

export const builder = new SchemaBuilder<GraphTypes>({
  plugins: ['relay', 'rights'],
  relay: relayOptions,
  defaultFieldNullability: false,
})

builder.queryType({
  description: 'What can be read. A single thing that is absent, or that the viewer may not know of, is null.',
})
builder.mutationType({
  description:
    'What can be changed. Each mutation takes one input and returns a payload; expected failures are its userErrors.',
})
