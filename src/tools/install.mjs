// After `npm ci`: makes in advance what the first start and the first test run need. It is optional: npm may run it
// before the packages are installed, or not at all.
try {
  const { makeTemplate } = await import('./template.mjs')
  await makeTemplate()
} catch {
  // The start reports the same error, where it is read.
}
