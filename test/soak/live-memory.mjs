// Live memory: preloaded into a server that runs with --expose-gc, it prints the memory in use after a garbage
// collection, in MiB.
let printed = 0

setInterval(() => {
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  const live = Math.ceil((heapUsed + external) / 1024 / 1024)
  if (live === printed) return
  printed = live
  console.log(`live ${live} MiB`)
}, 5).unref()
