/** Types that Pothos knows of the whole graph: the request's context, scalars inside and on the wire, and that nothing is null by default. */
import type { Context } from '../../request/context.ts'

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
