/** Pothos type parameters of the schema: the context, the scalars, and fields that are not nullable by default. */
import type { Context } from '../../request/context.ts'

export interface GraphTypes {
  Context: Context
  DefaultFieldNullability: false
  DefaultEdgesNullability: false
  DefaultNodeNullability: false
  Scalars: {
    ID: { Input: string; Output: string }
    /** An integer within ±9007199254740991. */
    Long: { Input: number; Output: number }
    /** Epoch milliseconds inside, RFC 3339 text on the wire. */
    DateTime: { Input: number; Output: number }
    /** A currency by its three-letter code. */
    CurrencyCode: { Input: string; Output: string }
    Date: { Input: string; Output: string }
    /** Any JSON value. */
    JSON: { Input: unknown; Output: unknown }
    /** A reference to an entity (federation.ts). */
    _Any: { Input: unknown; Output: unknown }
  }
}

/** The same with Pothos' defaults. */
export type Types = PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>
/** Pothos' builder of the fields of an object type. */
export type FieldBuilder<T> = PothosSchemaTypes.ObjectFieldBuilder<Types, T>
