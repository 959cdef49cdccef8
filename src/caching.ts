/** Cache-Control of what is for one viewer alone: a token decides what is in it, or it holds one. */
export const NOT_CACHED = 'private, no-store'
