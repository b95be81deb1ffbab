/** The sample's collection; a fixed id, so that every start finds it again. */
export const COLLECTION_ID = '5a1de11a-0000-4000-8000-000000000001'

/** The node of its one episode. */
export const EPISODE_ID = '5a1de11a-0000-4000-8000-000000000002'

/** A second collection: what the first one's users do not see. */
export const NEWSROOM_ID = '5a1de11a-0000-4000-8000-000000000003'
