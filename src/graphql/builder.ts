/** The one builder of the schema. Modules add to it; schema.ts imports them all and builds. No types here. */
import SchemaBuilder from '@pothos/core'
import '@pothos/plugin-relay'
import type { Context } from '../context.ts'
import { relayOptions } from './relay.ts'
import './rights.ts'

export interface GraphTypes {
  Context: Context
  DefaultFieldNullability: false
  DefaultEdgesNullability: false
  DefaultNodeNullability: false
  Scalars: {
    ID: { Input: string; Output: string }
    /** An integer that JavaScript keeps exactly. */
    Long: { Input: number; Output: number }
    /** Epoch milliseconds inside, RFC 3339 text on the wire. */
    DateTime: { Input: number; Output: number }
    /** Any JSON value. */
    JSON: { Input: unknown; Output: unknown }
    /** A reference to an entity (federation.ts). */
    _Any: { Input: unknown; Output: unknown }
  }
}

export const builder = new SchemaBuilder<GraphTypes>({
  plugins: ['relay', 'rights'],
  relay: relayOptions,
  defaultFieldNullability: false,
})

builder.queryType({ description: 'What can be read. A single thing that is absent, or that the viewer may not know of, is null.' })
builder.mutationType({
  description: 'What can be changed. Each mutation takes one input and answers a payload; expected failures are its userErrors.',
})
