import type { Rule } from '../reason.ts'
import { moment } from '../words.ts'

/** Its type, its collection or its type within its collection is paused. */
export const paused: Rule = ({ pauses }) =>
  pauses.map(({ type, collection, by, reason, since }) => {
    const what = [type && `the type ${type}`, collection && 'its collection'].filter(Boolean).join(' in ')
    return {
      code: 'PAUSED' as const,
      sentence: `${what[0]?.toUpperCase()}${what.slice(1)} is paused since ${moment(since)}${by ? `, by ${by}` : ''}${reason ? `: ${reason}` : '.'}`,
      facts: { type, collectionNodeId: collection, by, reason, since: moment(since) },
    }
  })
