// Preloaded into a server that runs with --expose-gc: prints how much memory is alive, in MiB, whatever garbage there is beside it.
let printed = 0

setInterval(() => {
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  const live = Math.ceil((heapUsed + external) / 1024 / 1024)
  if (live === printed) return
  printed = live
  console.log(`live ${live} MiB`)
}, 5).unref()
