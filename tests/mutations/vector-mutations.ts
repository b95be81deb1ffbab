import { edit, type Mutation } from './mutation.ts'

const kit = 'packages/jobs-kit/src'
const generate = 'packages/handler-generate-embeddings'
const suggest = 'packages/handler-suggest-edges'
const moderation = 'packages/handler-valgomat-moderation'
const readVectors = `${kit}/embeddings/read-vectors.ts`
const search = 'migrations/handlers/0025_search_of_vectors.sql'
const decisions = 'migrations/handlers/0026_edge_suggestions_decided.sql'
const topics = 'migrations/handlers/0027_topic_suggestions.sql'
const moderations = 'migrations/handlers/0028_moderations_decided_by_name.sql'
const a33 = (name: string) => ({ file: `${generate}/test/cases/a33-vectors-out-of-order.test.ts`, name })
const searched = (name: string) => ({ file: 'packages/jobs-kit/test/embeddings/search.test.ts', name })
const asRoles = (name: string) => ({ file: 'packages/jobs-kit/test/suggestions-roles.test.ts', name })
const inCollections = (name: string) => ({ file: `${suggest}/test/collections.test.ts`, name })

/** What keeps vectors beside their texts, suggestions within their collection, and questions on their side. */
export const vectorMutations: readonly Mutation[] = [
  {
    name: 'order of vectors by their index',
    edits: [edit(readVectors, 'const at = numbered ? index : position', 'const at = position')],
    tests: [a33('each text gets its own vector, by its index')],
  },
  {
    name: 'number of vectors',
    edits: [edit(readVectors, '  if (given.length !== count) throw', '  if (given.length > count) throw')],
    tests: [a33('with two vectors')],
  },
  {
    name: 'vectors that come twice',
    edits: [edit(readVectors, '  if (vectors[at] !== undefined) throw', '  if (vectors[at] === null) throw')],
    tests: [a33('with one index twice')],
  },
  {
    name: 'dimensions of vectors',
    edits: [edit(readVectors, '  if (sizes.length > 1) throw', '  if (sizes.length > 9) throw')],
    tests: [a33('with a vector of another length')],
  },
  {
    name: 'dimensions that a collection wants',
    edits: [edit(readVectors, '(expected === undefined || size === expected)', 'size > 0')],
    tests: [a33('of other dimensions than the collection wants, for good')],
  },
  {
    name: 'finiteness of vectors',
    edits: [edit(`${kit}/embeddings/vector.ts`, '!Number.isFinite(length) || length === 0', 'length === 0')],
    tests: [a33('with base64 of NaN')],
  },
  {
    name: 'vectors of zeros',
    edits: [edit(`${kit}/embeddings/vector.ts`, '!Number.isFinite(length) || length === 0', '!Number.isFinite(length)')],
    tests: [a33('with a vector of zeros')],
  },
  {
    name: 'tenant of a search by comparing',
    edits: [
      edit(
        search,
        'where e.collection_node_id = $1 and e.model = $3 and e.dimensions = sized',
        'where e.model = $3 and e.dimensions = sized',
      ),
    ],
    tests: [searched('finds of a node of two collections what is stored for the one that is searched')],
  },
  {
    name: 'tenant of a search by an index',
    edits: [
      edit(
        search,
        'where e.collection_node_id = $1 and e.model = $3 and e.dimensions = %3$s',
        'where e.model = $3 and e.dimensions = %3$s',
      ),
    ],
    tests: [searched('finds of a node of two collections what is stored for the one that is searched')],
  },
  {
    name: 'model of a search by comparing',
    edits: [edit(search, 'e.model = $3 and e.dimensions = sized', 'e.dimensions = sized')],
    tests: [searched('mixes neither models nor lengths')],
  },
  {
    name: 'nodes that have left, in a search by comparing',
    edits: [edit(search, '      where node_tied_to_collection(h.node_id, $1)\n', '')],
    tests: [searched('finds nothing of a node before it is tied to the collection, nor after it has left')],
  },
  {
    name: 'nodes that have left, in a search by an index',
    edits: [edit(search, ' and node_tied_to_collection(h.node_id, $1) order by', ' order by')],
    tests: [searched('finds nothing of a node before it is tied to the collection, nor after it has left')],
  },
  {
    name: 'vectors that are none, in a search',
    edits: [
      edit(search, "  if long is null or long in ('NaN', 'Infinity', 0) then", "  if long is null and long in ('NaN', 'Infinity', 0) then"),
    ],
    tests: [searched('refuses a vector of')],
  },
  {
    name: 'vectors of an older text',
    edits: [edit(`${generate}/src/check-unchanged.ts`, 'if (!isSame)', 'if (!isSame && now.length < 0)')],
    tests: [{ file: `${generate}/test/races.test.ts`, name: 'the one with the older text writes nothing over the newer' }],
  },
  {
    name: 'vectors of what a node said before',
    edits: [
      edit(`${suggest}/src/find-candidates.ts`, 'first.filter(({ hash }) => !byHash.has(hash))', 'first.filter(() => byHash.size === 0)'),
    ],
    tests: [{ file: `${suggest}/test/edges.test.ts`, name: 'but for those of what the node said before' }],
  },
  {
    name: 'quotes that bear an edge out',
    edits: [edit(`${suggest}/src/check-reply.ts`, 'isQuote(evidence) && quoteOccurs(evidence, text)', 'isQuote(evidence)')],
    tests: [{ file: `${suggest}/test/edges.test.ts`, name: 'what the text does not bear out' }],
  },
  {
    name: 'quotes of a word or two',
    edits: [edit(`${suggest}/src/check-reply.ts`, 'isQuote(evidence) && quoteOccurs(evidence, text)', 'quoteOccurs(evidence, text)')],
    tests: [{ file: `${suggest}/test/edges.test.ts`, name: 'what the text does not bear out' }],
  },
  {
    name: 'edges that are only suggested, in jobs',
    edits: [edit(`${kit}/storage/host/in-collection.ts`, "not in ('suggested', 'rejected')", "not in ('nothing')")],
    tests: [inCollections('ties nothing to it')],
  },
  {
    name: 'edges that lead to another collection',
    edits: [edit(`${kit}/storage/suggestions/upsert-edge-suggestions.ts`, "c.kind::text = 'collection'", "c.kind::text = 'nothing'")],
    tests: [inCollections('another collection is no candidate, and no edge to it is stored')],
  },
  {
    name: 'access to a decision about an edge',
    edits: [edit(decisions, "if may_act is not null and not $1 = any (may_act) then return 'SUGGESTION_FORBIDDEN'; end if;", '')],
    tests: [asRoles('is decided by an editor of its collection')],
  },
  {
    name: 'tenant of a decision about an edge',
    edits: [edit(decisions, ' and node_tied_to_collection(e.source_id, $1) and node_tied_to_collection(e.target_id, $1)', '')],
    tests: [asRoles('is decided by an editor of its collection')],
  },
  {
    name: 'access to a decision about a topic',
    edits: [
      edit(
        topics,
        "if may_act is not null and not $1 = any (may_act) then return query select 'SUGGESTION_FORBIDDEN'::text, null::uuid; return; end if;",
        '',
      ),
    ],
    tests: [asRoles('a suggested topic is seen by all of its collection, and made by an editor of it alone')],
  },
  {
    name: 'names of those who decide about questions',
    edits: [edit(moderations, "substring(job_actor($6) from '^\\s*(\\S.*?)\\s*$')", 'job_actor($6)')],
    tests: [asRoles('a moderated question is decided by an editor with a name')],
  },
  {
    name: 'topics that were rejected',
    edits: [edit(`${kit}/storage/suggestions/upsert-topic-suggestions.ts`, " and d.state <> 'suggested'", " and d.state = 'nothing'")],
    tests: [{ file: `${suggest}/test/topics.test.ts`, name: 'one that was rejected is not suggested again' }],
  },
  {
    name: 'stance of a wording, by both sides',
    edits: [edit(`${moderation}/src/moderate.ts`, "=== 'same' && relations[index * 2 + 1] === 'same'", "=== 'same'")],
    tests: [{ file: `${moderation}/test/moderation.test.ts`, name: 'is left out, and flagged' }],
  },
  {
    name: 'stance of a wording, by its words',
    edits: [edit(`${moderation}/src/keeps-meaning.ts`, ' && mayTakeSameSide(original, wording)', '')],
    tests: [{ file: `${moderation}/test/bounds.test.ts`, name: 'is not worded as' }],
  },
  {
    name: 'opposites in one cluster',
    edits: [edit(`${moderation}/src/cluster-questions.ts`, ' && !clash(left, right)', '')],
    tests: [{ file: `${moderation}/test/bounds.test.ts`, name: 'where a model contradicts itself opposites stay apart' }],
  },
]
