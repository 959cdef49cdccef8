/**
 * Ranks the names of a release in a collation, in a thread of its own, since 100,000 names take two seconds. Plain
 * JavaScript, so that it needs no loader.
 *
 * Names that the order of a former release has keep their order among themselves, and only others are compared
 * (search.names-in-order).
 */
import { parentPort, workerData } from 'node:worker_threads'

export function rankNames(collation, names, former) {
  const { compare } = new Intl.Collator(collation, { numeric: true })
  const { texts, idsOf, formerRanks } = numbered(names, former)
  const isKnown = (id) => formerRanks[id] >= 0
  // Numbers are sorted without a function: the former rank, then the id.
  const kept = Float64Array.from(texts.keys())
    .filter(isKnown)
    .map((id) => formerRanks[id] * ID_LIMIT + id)
    .sort()
    .map((key) => key % ID_LIMIT)
  const fresh = [...texts.keys()].filter((id) => !isKnown(id)).sort((one, other) => compare(texts[one], texts[other]))
  const isEqual = (one, other) =>
    isKnown(one) && isKnown(other) ? formerRanks[one] === formerRanks[other] : compare(texts[one], texts[other]) === 0
  const ranks = new Int32Array(texts.length)
  let [rank, last] = [-1, -1]
  for (const id of merged(kept, fresh, (one, other) => compare(texts[one], texts[other]))) {
    if (last < 0 || !isEqual(last, id)) rank++
    ranks[id] = rank
    last = id
  }
  return names.map(([language, documents], at) => [language, documents, idsOf[at].map((id) => ranks[id])])
}

/** More than there are names. */
const ID_LIMIT = 2 ** 26

/**
 * The different names by a number, the numbers of each language's names, and by number the rank in the former order, -1
 * of names that it lacks. Documents never change, so a document that it has is of the same name.
 */
function numbered(names, former) {
  const idOf = new Map()
  const idsOf = names.map(([, , ofLanguage]) =>
    ofLanguage.map((name) => {
      const id = idOf.get(name) ?? idOf.size
      if (id === idOf.size) idOf.set(name, id)
      return id
    }),
  )
  const formerRanks = new Int32Array(idOf.size).fill(-1)
  const byLanguage = new Map(former.map(([language, documents, ranks]) => [language, { documents, ranks }]))
  for (const [at, [language, documents]] of names.entries()) {
    const before = byLanguage.get(language)
    if (!before) continue
    const rankOf = new Map(before.documents.map((document, place) => [document, before.ranks[place]]))
    for (const [place, document] of documents.entries()) {
      const rank = rankOf.get(document)
      if (rank !== undefined) formerRanks[idsOf[at][place]] = rank
    }
  }
  return { texts: [...idOf.keys()], idsOf, formerRanks }
}

/** Both lists, which are in order, as one. */
function merged(kept, fresh, compare) {
  const all = []
  let from = 0
  for (const id of fresh) {
    let [low, high] = [from, kept.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (compare(kept[middle], id) <= 0) low = middle + 1
      else high = middle
    }
    for (; from < low; from++) all.push(kept[from])
    all.push(id)
  }
  for (; from < kept.length; from++) all.push(kept[from])
  return all
}

if (parentPort && workerData?.names) {
  const { collation, names, former } = workerData
  const read = names.map(([language, body]) => [language, ...JSON.parse(body)])
  parentPort.postMessage(JSON.stringify(rankNames(collation, read, JSON.parse(former))))
}
