/**
 * Timeout of a promise: resolves as the promise does, or with `fallback` once `milliseconds` have passed. A rejection
 * within that time is passed on; a later one is ignored. The work behind the promise is not aborted.
 */
export async function withTimeout<T, Fallback>(
  promise: Promise<T>,
  milliseconds: number,
  fallback: Fallback,
): Promise<T | Fallback> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<Fallback>((resolve) => {
    timer = setTimeout(() => resolve(fallback), milliseconds)
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}
